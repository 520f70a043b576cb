/** Saved views of the activity: its zone and its user under a name. */
import { expect, test } from "vitest";
import { act, findingsOf, real, startPortal } from "../kit/portal.ts";

const portal = await startPortal();
const { service } = portal;

test("a view of the activity keeps the zone and the user that it is about", async () => {
  await service.zone("asked.example");
  await service.put("asked.example", "www.asked.example A", ["192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/activity");
  const rows = page.locator("tbody > tr:has(button[aria-expanded])");
  await page.getByLabel("Zone", { exact: true }).fill("asked.example");
  await expect.poll(() => rows.count()).toBe(2);
  await act(page, "Views");
  await page.getByLabel("Name of the view").fill("asked <b>");
  await act(page, "Save this view");
  await page.getByRole("link", { name: "asked <b>" }).waitFor();
  await page.keyboard.press("Escape");
  await act(page, "Clear the filters");
  await expect.poll(() => rows.count()).toBeGreaterThan(2);
  await act(page, "Views");
  await page.getByRole("link", { name: "asked <b>" }).click();
  await expect.poll(() => rows.count()).toBe(2);
  expect(await findingsOf(page)).toEqual([]);
  expect(real(complaints)).toEqual([]);
});
