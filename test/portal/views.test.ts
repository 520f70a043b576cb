/** Saved views: the filters of a page under a name, in every browser of the user. */
import { expect, test } from "vitest";
import { act, findingsOf, real, startPortal } from "./kit/portal.ts";

const portal = await startPortal();
const { service } = portal;
await service.zone("mine.example", { tags: { team: "web" } });
await service.zone("other.example");

test("a view of the zones is saved, opened in another browser, and removed", async () => {
  const first = await portal.signedIn("/zones?tag=team%3Aweb&sort=-name");
  await first.page.getByText("mine.example", { exact: true }).waitFor();
  await act(first.page, "Views");
  await first.page.getByLabel("Name of the view").fill("Of the web team");
  await act(first.page, "Save this view");
  await first.page.getByRole("link", { name: "Of the web team" }).waitFor();
  expect(await findingsOf(first.page)).toEqual([]);

  const { page, complaints } = await portal.signedIn("/zones");
  await page.getByText("other.example", { exact: true }).waitFor();
  await act(page, "Views");
  await page.getByRole("link", { name: "Of the web team" }).click();
  await expect.poll(() => page.getByText("other.example", { exact: true }).count()).toBe(0);
  await page.getByText("mine.example", { exact: true }).waitFor();
  expect(await page.getByLabel("Tag").inputValue()).toBe("team:web");
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ tag: "team:web", sort: "-name" });

  await act(page, "Views");
  await act(page, "Remove the view Of the web team");
  await page.getByText(/^None yet/).waitFor();
  await page.goto(`${service.url}/activity`);
  await act(page, "Views");
  await page.getByText(/^None yet/).waitFor();
  expect(real([...first.complaints, ...complaints])).toEqual([]);
});

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
