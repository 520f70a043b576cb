/** The addresses of the portal's pages. `:name` stands for one segment; the rest of a page's state is in its query. */
export const routes = {
  dashboard: "/",
  zones: "/zones",
  newZone: "/newzone",
  deletedZones: "/deletedzones",
  zone: "/zones/:zone",
  record: "/zones/:zone/:name/:type",
  changes: "/changes",
  feeds: "/feeds",
  source: "/feeds/:source",
  analytics: "/analytics",
  activity: "/activity",
  account: "/account",
  accountPage: "/account/:page",
  system: "/system",
  systemPage: "/system/:page",
  welcome: "/welcome",
} as const;

export type RouteName = keyof typeof routes;
