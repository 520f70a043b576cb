/** The activity log: who broke a record is found with filters, and seen as before and after. */
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
  await page.getByRole("combobox", { name: "Kind of thing" }).click();
  await page.getByRole("option", { name: "Record", exact: true }).click();
  await eventually(() => rowsOf(page).count()).toBe(4);
  expect(page.url()).toContain("type=record");
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await eventually(() => cellsOf(page, "ttl")).toEqual(["− 3600", "+ 300"]);
  expect(await cellsOf(page, "answers › 192.0.2.1")).toEqual(["− 192.0.2.1", ""]);
  expect(await cellsOf(page, "answers › 192.0.2.66")).toEqual(["", "+ 192.0.2.66"]);
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
