/** The screens: their addresses, and what a user does there first. */
import type { Page } from "playwright-core";
import { type Sample, sampleDraft, zone } from "./sample.ts";

export interface Picture {
  readonly name: string;
  readonly path: string;
  /** Whether an empty service shows something worth a look there. */
  readonly isForEmpty?: boolean;
  readonly needsDraft?: boolean;
  readonly prepare?: (page: Page) => Promise<void>;
}

const record = `/zones/${zone}/www.${zone}/A?in=DE`;
const openMap = async (page: Page) => {
  const simulate = page.getByText("Simulator", { exact: true }).first();
  if ((page.viewportSize()?.width ?? 0) < 992) await simulate.click();
  await page.getByRole("button", { name: "By country" }).click();
  // the legend comes with the answers of the countries
  await page
    .getByText(/^[\d.]+ \(\d+\)$/)
    .first()
    .waitFor();
  await page.evaluate("scrollTo(0, 0)");
};
const pageOf = (part: string, names: readonly string[], isForEmpty: boolean): Picture[] =>
  names.map((name) => ({ name: `${part}-${name}`, path: `/${part}/${name}`, isForEmpty }));

export const pictures = ({ source, feed, key }: Sample): readonly Picture[] => [
  { name: "dashboard", path: "/", isForEmpty: true },
  { name: "zones", path: "/zones", isForEmpty: true },
  ...["primary", "secondary", "linked", "file"].map((kind) => ({
    name: `newzone-${kind}`,
    path: `/newzone?kind=${kind}`,
    isForEmpty: kind === "linked",
  })),
  { name: "deleted", path: "/deletedzones", isForEmpty: true },
  ...["records", "settings", "transfers", "versions", "statistics", "activity", "lint"].map((tab) => ({
    name: `zone-${tab}`,
    path: `/zones/${zone}?tab=${tab}`,
  })),
  { name: "zone-secondary", path: "/zones/partner.example?tab=transfers" },
  { name: "zone-new", path: "/zones/static.example" },
  { name: "zone-draft", path: `/zones/${zone}`, needsDraft: true },
  { name: "record", path: record },
  { name: "record-map", path: record, prepare: openMap },
  { name: "record-mx", path: `/zones/${zone}/${zone}/MX` },
  { name: "record-new", path: `/zones/${zone}/new.${zone}/A?new=1` },
  { name: "changes", path: "/changes", isForEmpty: true },
  { name: "changes-draft", path: "/changes", needsDraft: true },
  { name: "feeds", path: "/feeds", isForEmpty: true },
  { name: "source", path: `/feeds/${source}?open=${feed}` },
  { name: "analytics", path: "/analytics", isForEmpty: true },
  { name: "activity", path: "/activity", isForEmpty: true },
  ...pageOf("account", ["people", "teams", "keys", "allow-lists", "security", "contact", "tsig"], true),
  { name: "account-rights", path: "/account/people?user=emil&tab=rights" },
  { name: "account-key", path: `/account/keys?key=${key}` },
  { name: "account-newkey", path: "/account/keys?new=1" },
  ...pageOf("system", ["edges", "controls", "store", "configuration", "accounts"], false),
  {
    name: "palette",
    path: "/zones",
    async prepare(page) {
      await page.getByRole("button", { name: "Search or command" }).click();
      await page.getByRole("textbox", { name: "Search or command" }).fill("www");
      await page.getByText(`www.${zone} A`).waitFor();
    },
  },
  {
    name: "keys",
    path: "/zones",
    async prepare(page) {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
];

/** The pictures that README and docs/portal.md show: the screen of each, and its height. */
export const documented: { readonly [name: string]: readonly [screen: string, height: number] } = {
  dashboard: ["dashboard", 760],
  zones: ["zones", 760],
  zone: ["zone-records", 760],
  record: ["record-map", 1110],
  draft: ["changes-draft", 860],
  feeds: ["source", 900],
  rights: ["account-rights", 760],
  system: ["system-edges", 420],
};

/** Opens a screen, and waits until it has come to rest. */
export async function show(page: Page, url: string, { path, needsDraft = false, prepare }: Picture): Promise<void> {
  await storeDraft(page, url, needsDraft ? sampleDraft : []);
  await page.goto(url + path);
  await page.getByRole("banner").waitFor();
  await page.waitForLoadState("networkidle");
  // a page whose script is still read is idle, too
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: "hidden" });
  await prepare?.(page);
  await page.waitForLoadState("networkidle");
}

/** Replaces the draft that the pages show. */
async function storeDraft({ request }: Page, url: string, records: readonly object[]): Promise<void> {
  const [session, drafts] = await Promise.all(
    ["auth/session", "drafts"].map((path) => request.get(`${url}/v1/${path}`)),
  );
  const { csrf_token } = (await session!.json()) as { readonly csrf_token: string };
  const options = { headers: { Origin: url, "X-CSRF-Token": csrf_token }, failOnStatusCode: true };
  for (const { id } of (await drafts!.json()) as { readonly id: string }[]) {
    await request.delete(`${url}/v1/drafts/${id}`, options);
  }
  if (records.length > 0) await request.put(`${url}/v1/drafts`, { ...options, data: { name: "Portal", records } });
}
