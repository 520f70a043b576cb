/** The pages by address. A page's code is loaded when it is opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../api/client.ts";
import { type RouteName, routes } from "../routes.ts";
import { Failed, NotFound } from "./failed.tsx";
import { Shell } from "./shell.tsx";

const screens: Readonly<Record<RouteName, () => Promise<{ readonly Screen: () => React.ReactNode }>>> = {
  dashboard: () => import("../screens/dashboard/dashboard.tsx"),
  zones: () => import("../screens/zones/zones.tsx"),
  newZone: () => import("../screens/new-zone/new-zone.tsx"),
  deletedZones: () => import("../screens/deleted-zones/deleted-zones.tsx"),
  zone: () => import("../screens/zone/zone.tsx"),
  record: () => import("../screens/record/record.tsx"),
  changes: () => import("../screens/changes/changes.tsx"),
  feeds: () => import("../screens/feeds/feeds.tsx"),
  source: () => import("../screens/feeds/source.tsx"),
  analytics: () => import("../screens/analytics/analytics.tsx"),
  activity: () => import("../screens/activity/activity.tsx"),
  account: () => import("../screens/account/account.tsx"),
  accountPage: () => import("../screens/account/account.tsx"),
  system: () => import("../screens/system/system.tsx"),
  systemPage: () => import("../screens/system/system.tsx"),
  welcome: () => import("../screens/welcome/welcome.tsx"),
};

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Failed });

const children = Object.entries(screens).map(([name, load]) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: routes[name as RouteName].replace(/:(\w+)/g, "$$$1"),
    component: lazyRouteComponent(load, "Screen"),
    errorComponent: Failed,
  }),
);

export const router = createRouter({
  routeTree: rootRoute.addChildren(children),
  basepath: root.pathname,
  defaultPreload: "intent",
  // values of the query are texts, as they are written in the address
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
    const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
    return text === "" ? "" : `?${text}`;
  },
});
