/** The dashboard and analytics: the ways to a first zone, then queries as the API counts them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findingsOf, startPortal } from "./kit/portal.ts";

const { service, signedIn } = await startPortal();
/** Edges report every ten seconds. */
const patience = { timeout: 60_000, interval: 1000 };

test("without zones the dashboard shows the ways to a first one", async () => {
  const { page, complaints } = await signedIn("/");
  for (const [act, kind] of [
    ["Create a zone", "primary"],
    ["Upload a zone file", "file"],
    ["Transfer a zone", "secondary"],
  ] as const) {
    await page.getByRole("button", { name: act }).click();
    await expect.poll(() => page.url()).toContain(`/newzone?kind=${kind}`);
    await page.goBack();
  }
  await page.getByRole("button", { name: "Create a zone" }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("queries are shown by zone and by record as the API counts them, and saved as CSV", async () => {
  await service.zone("example.com");
  await service.zone("example.net");
  await service.put("example.com", "www.example.com A", ["192.0.2.1"]);
  let answered = 0;
  const ask = async (name: string) => {
    const reply = await service.dig(name);
    // until the edge has the zone, a query belongs to none
    if (!reply.includes("status: REFUSED")) answered++;
    return reply;
  };
  await expect.poll(() => ask("www.example.com")).toContain("192.0.2.1");
  for (let n = 0; n < 12; n++) await ask("www.example.com");
  for (let n = 0; n < 5; n++) await ask("nothing.example.net");
  type Usage = { zone?: string; queries: number }[];
  const usage = () => service.must<Usage>("GET", "stats/usage?expand=true");
  const counted = async () => (await usage()).reduce((sum, { queries }) => sum + queries, 0);
  await expect.poll(counted, patience).toBe(answered);

  const { page, complaints } = await signedIn("/analytics");
  const rows = page.locator("tbody > tr:has(button[aria-expanded])");
  await expect.poll(() => rows.count()).toBe(2);
  const [first, second] = await rows.allInnerTexts();
  const zones = await usage();
  const queriesOf = (name: string) => zones.find(({ zone }) => zone === name)?.queries;
  expect(first).toMatch(new RegExp(`example\\.com\\s+${queriesOf("example.com")}\\s`));
  expect(second).toMatch(new RegExp(`example\\.net\\s+${queriesOf("example.net")}\\s`));
  await rows.first().getByRole("button", { name: "Details" }).click();
  await page.getByRole("link", { name: "www.example.com" }).waitFor();
  const rowsOf = (title: string) =>
    page
      .locator("section", { has: page.getByRole("heading", { name: title }) })
      .getByRole("row")
      .allInnerTexts();
  const missed = queriesOf("example.net");
  expect(await rowsOf("By RCODE")).toContainEqual(expect.stringMatching(new RegExp(`^NXDOMAIN\\s+${missed}\\s`)));
  expect(await rowsOf("By transport")).toContainEqual(expect.stringMatching(new RegExp(`^UDP\\s+${answered}\\s`)));
  await page.getByText("Month", { exact: true }).click();
  await expect.poll(() => page.url()).toContain("period=30d");
  expect(await findingsOf(page)).toEqual([]);

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const [head = "", row = ""] = readFileSync(await (await saved).path(), "utf8").split("\r\n");
  expect(head).toMatch(/^zone,queries,20/);
  expect(row).toMatch(new RegExp(`^example\\.com,${queriesOf("example.com")},`));

  await page.goto(`${service.url}/zones/example.net?tab=statistics`);
  await page.getByRole("heading", { name: "Names that do not exist, in the last day" }).waitFor();
  expect(await rowsOf("Names that do not exist")).toContainEqual(
    expect.stringMatching(/^nothing\.example\.net\s+[2-5]\s/),
  );
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a record has the course of its queries, or that nobody asked for it in 90 days", async () => {
  const { page, complaints } = await signedIn("/zones/example.com");
  await page.getByRole("img", { name: "Queries for www A in 90 days" }).waitFor();
  expect(await page.getByText("not asked for").count()).toBe(0);
  await page.getByRole("link", { name: "www", exact: true }).first().click();
  await page.getByText(/^100\s?% · \d+ a day$/).waitFor();
  await page.goBack();
  await page.clock.setFixedTime(Date.now() + 91 * 86_400_000);
  await page.reload();
  await page.getByText("not asked for").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("queries are watched as they come, with a filter and a pause", async () => {
  const { page, complaints } = await signedIn("/zones/example.com?tab=statistics");
  await page.getByRole("button", { name: "Watch" }).click();
  await page.getByText("Waiting for a query.").waitFor();
  const rows = page.getByRole("region", { name: "Queries as they come" }).locator("tbody tr");
  const asked = async (name: string) => {
    await service.dig(name);
    return (await rows.allInnerTexts()).map((text) => text.split(/\s*\t\s*/).slice(1));
  };
  const row = (label: string, rcode: string) => [label, "A", rcode, "UDP", "127.0.0.0/24"];
  await expect.poll(() => asked("www.example.com"), patience).toContainEqual(row("www", "NOERROR"));
  await expect.poll(() => asked("typo.example.com"), patience).toContainEqual(row("typo", "NXDOMAIN"));
  await page.getByLabel("Filter", { exact: true }).fill("nxdomain");
  await expect.poll(async () => (await rows.allInnerTexts()).every((text) => text.includes("NXDOMAIN"))).toBe(true);
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Pause" }).click();
  const before = await rows.count();
  for (let n = 0; n < 5; n++) await service.dig("typo.example.com");
  await page.waitForTimeout(2500);
  expect(await rows.count()).toBe(before);
  expect(complaints).toEqual([]);
});

test("the dashboard tells which edges answer the last change of this browser, and what changed before", async () => {
  // edges hear of a feed only with its first values, so the change that they answer is that of a record
  const { page, complaints } = await signedIn("/zones/example.com/last.example.com/A?new=1");
  await page.getByRole("textbox", { name: "address", exact: true }).fill("192.0.2.2");
  await page.getByRole("button", { name: "Create record" }).click();
  await page.getByText(/^Saved/).waitFor();
  await page.getByRole("link", { name: "Feeds" }).first().click();
  await page.getByLabel("Name of the source").fill("monitoring");
  await page.getByLabel("Name of the feed").fill("server-1");
  await page.getByRole("button", { name: "Create source and feed" }).click();
  await page.getByRole("heading", { name: "monitoring" }).waitFor();
  await page.getByRole("link", { name: "Fairlead" }).click();
  await page.getByText("1 of 1 edge answers it").waitFor();
  const change = await page.evaluate<string>("JSON.parse(localStorage.getItem('last-change')).id");
  expect(await service.must("GET", `changesets/${change}`)).toMatchObject({ live: true, edges: [{ applied: true }] });
  const recent = page.locator("section").filter({ hasText: "Recent changes" }).getByRole("row");
  expect(await recent.first().innerText()).toContain("server-1");
  await page.getByRole("img", { name: /Queries over time/ }).waitFor();
  await page.getByRole("link", { name: "example.com" }).first().waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the dashboard and analytics fit on a phone, in the dark", async () => {
  const { page, complaints } = await signedIn("/", { width: 390, scheme: "dark" });
  await page.getByText("Recent changes").waitFor();
  const fits = () => page.evaluate("document.documentElement.scrollWidth <= innerWidth");
  expect(await fits()).toBe(true);
  expect(await findingsOf(page)).toEqual([]);
  // what needs attention comes first, and the search is its sign alone
  const topOf = async (name: string) => (await page.getByRole("heading", { name, exact: true }).boundingBox())?.y ?? 0;
  expect(await topOf("Needs attention")).toBeLessThan(await topOf("Queries"));
  expect(await page.getByRole("button", { name: "Search or command" }).innerText()).toBe("");
  await page.getByRole("link", { name: "All queries" }).click();
  await page.getByText("By zone").waitFor();
  expect(await fits()).toBe(true);
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
