/** The activity log: who broke a record is found with filters, seen as before and after, and kept as a file. */
import { readFileSync } from "node:fs";
import { parse as parseCsv } from "csv-parse/sync";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { findingsOf, startPortal } from "./kit/portal.ts";

const { service, signedIn } = await startPortal();
await service.zone("example.com");
await service.put("example.com", "www.example.com A", ["192.0.2.1"]);
await service.put("example.com", "mail.example.com MX", [10, "mx1.example.com"]);
const trap = "<b>evil</b>\u202e";
await service.put("example.com", "trap.example.com TXT", [trap]);
await service.must("POST", "zones/example.com/www.example.com/A", { answers: [{ answer: ["192.0.2.66"] }], ttl: 300 });
await service.must("PUT", "data/sources", { name: "probes", sourcetype: "nsone_v1" });

/** Pages wait for the service, and tests share the machine. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });
const rowsOf = (page: Page) => page.locator("tbody > tr:has(button[aria-expanded])");
const cellsOf = (page: Page, field: string) =>
  page
    .getByRole("row", { name: new RegExp(`^${field}`) })
    .getByRole("cell")
    .allInnerTexts();

test("a change is found by its kind, and opens by keys to its values before and after", async () => {
  const { page, complaints } = await signedIn("/activity");
  await rowsOf(page).first().waitFor();
  await page.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Record", exact: true }).click();
  await eventually(() => rowsOf(page).count()).toBe(4);
  expect(page.url()).toContain("type=record");
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await eventually(() => cellsOf(page, "ttl")).toEqual(["− 3600", "+ 300"]);
  expect(await cellsOf(page, "answers › 192.0.2.1")).toEqual(["− 192.0.2.1", "+ 192.0.2.66"]);
  // a colleague who opens the address sees the same
  await page.reload();
  await eventually(() => cellsOf(page, "ttl")).toEqual(["− 3600", "+ 300"]);
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "www.example.com" }).click();
  await eventually(() => page.url()).toContain("/zones/example.com/www.example.com/A");
  expect(complaints).toEqual([]);
});

test("times, users and ids filter, and all of them are in the address", async () => {
  const { page, complaints } = await signedIn("/activity?user=first%20key&type=datasource");
  await eventually(() => rowsOf(page).allInnerTexts()).toEqual([expect.stringContaining("probes")]);
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await eventually(() => rowsOf(page).count()).toBeGreaterThan(5);
  await page.getByLabel("User or key").fill("nobody");
  await page.getByText("No entry matches these filters.").waitFor();
  await page.getByLabel("User or key").fill("");
  await page.getByRole("combobox", { name: "Time", exact: true }).click();
  await page.getByRole("option", { name: "Between" }).click();
  await page.getByLabel(/^Until/).fill("2020-01-01T00:00");
  await page.getByText("No entry matches these filters.").waitFor();
  expect(new URL(page.url()).searchParams.get("end")).toMatch(/^157\d{7}$/);
  expect(complaints).toEqual([]);
});

test("the entries that match are saved as the service's file", async () => {
  const { page, complaints } = await signedIn("/activity?type=record");
  await rowsOf(page).first().waitFor();
  for (const [item, start] of [
    ["CSV", "resource_id"],
    ["Excel", "PK"],
    ["PDF", "%PDF"],
  ] as const) {
    await page.getByRole("button", { name: "Export" }).click();
    const saved = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: item }).click();
    const content = readFileSync(await (await saved).path());
    expect(content.toString("latin1", 0, 400)).toContain(start);
    if (item !== "CSV") continue;
    const rows = parseCsv<{ resource_type: string }>(content, { columns: true, bom: true });
    expect(rows.map(({ resource_type }) => resource_type)).toEqual(["record", "record", "record", "record"]);
  }
  expect(complaints).toEqual([]);
});

test("names and answers of an attacker are text, on a phone too", async () => {
  const { page, complaints } = await signedIn("/activity?type=record", { width: 390, scheme: "dark" });
  const row = rowsOf(page).filter({ hasText: "in one call" });
  await eventually(() => row.count()).toBe(3);
  for (const one of await row.all()) await one.getByRole("button", { name: "Details" }).click();
  await page.getByText("<b>evil</b>\\u{202e}").first().waitFor();
  expect(await page.locator("b").count()).toBe(0);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("who changed a record is found, and the change is taken back", async () => {
  await service.put("example.com", "blog.example.com A", ["192.0.2.7"]);
  const { key } = await service.must<{ key: string }>("PUT", "account/apikeys", { name: "deploy" });
  // the log has seconds, and going back means the second before
  const made = Math.floor(Date.now() / 1000);
  await eventually(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(made);
  const reply = await fetch(`${service.url}/v1/zones/example.com/blog.example.com/A`, {
    method: "POST",
    headers: { "X-SERVICE-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ answers: [{ answer: ["192.0.2.99"] }] }),
  });
  expect(reply.status).toBe(200);
  await eventually(() => service.ask("blog.example.com A")).toEqual(["blog.example.com. 3600 IN A 192.0.2.99"]);

  const { page, complaints } = await signedIn("/activity?type=record");
  await page.getByRole("combobox", { name: "Time", exact: true }).click();
  await page.getByRole("option", { name: "Last day" }).click();
  const row = rowsOf(page).filter({ hasText: "blog.example.com" }).filter({ hasText: "deploy" });
  await row.getByRole("button", { name: "Details" }).click();
  await eventually(() => cellsOf(page, "answers › 192.0.2.7")).toEqual(["− 192.0.2.7", "+ 192.0.2.99"]);
  await page.getByRole("button", { name: "Take it back" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("gets the values that it had before this entry").waitFor();
  expect(await dialog.getByText("It was changed again since").count()).toBe(0);
  expect(await findingsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Take it back" }).click();
  await page.getByText(/^blog\.example\.com A is as it was before/).waitFor();
  await eventually(() => service.ask("blog.example.com A")).toEqual(["blog.example.com. 3600 IN A 192.0.2.7"]);

  await page.getByRole("button", { name: "Take it back" }).click();
  await dialog.getByText("It was changed again since").waitFor();
  expect(complaints).toEqual([]);
});
