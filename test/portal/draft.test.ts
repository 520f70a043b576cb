/** The draft outlives its tab: the service keeps it for the user, with the versions from which its edits began. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { act, findingsOf, real, startPortal } from "./kit/portal.ts";
import { zonesOf } from "./kit/zones-of.ts";

const portal = await startPortal();
const { service } = portal;
const zoneWith = zonesOf(service);

/** Edits a record in its row, and adds the edit to the draft. */
async function draftEdit(page: Page, record: string, answer: string): Promise<void> {
  await act(page, `Edit ${record}`);
  await page.getByRole("textbox", { name: "Answers", exact: true }).fill(answer);
  await act(page, "Add to the draft");
  await page.getByRole("region", { name: /in the draft$/ }).waitFor();
}

test("another browser of the user has the draft, hears what changed since, and applies it", async () => {
  await zoneWith("kept.example", ["www.kept.example A", "192.0.2.1"], ["mail.kept.example A", "192.0.2.2"]);
  const first = await portal.signedIn("/zones/kept.example");
  await draftEdit(first.page, "www A", "192.0.2.9");

  const second = await portal.signedIn("/changes");
  const { page } = second;
  await page.getByText(/^1 edit in 1 zone\. They become active together.* The service keeps them for you/).waitFor();
  const review = page.getByRole("region", { name: "kept.example" });
  await expect.poll(() => review.innerText()).toMatch(/192\.0\.2\.1[\s\S]*192\.0\.2\.9/);
  expect(await review.getByText(/The zone has changed/).count()).toBe(0);

  await service.put("kept.example", "mail.kept.example A", ["192.0.2.3"]);
  await expect.poll(() => service.ask("mail.kept.example A")).toEqual(["mail.kept.example. 300 IN A 192.0.2.3"]);
  await act(page, "Apply 1 edit");
  await page.getByText(/^Nothing was applied: a zone has changed/).waitFor();
  expect(await service.ask("www.kept.example A")).toEqual(["www.kept.example. 300 IN A 192.0.2.1"]);
  await review.getByText(/The zone has changed since these edits began/).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await review.getByRole("link", { name: "See what changed" }).click();
  const difference = page.getByRole("region", { name: /^From version/ });
  await expect.poll(() => difference.innerText()).toMatch(/mail A[\s\S]*192\.0\.2\.2[\s\S]*192\.0\.2\.3/);
  expect(await difference.innerText()).not.toContain("www A");

  await act(page, "1 unapplied edit");
  await act(page, "Apply 1 edit");
  await page.getByText(/^The draft is applied, answered by 1 of 1 edge/).waitFor();
  expect(await service.ask("www.kept.example A")).toEqual(["www.kept.example. 300 IN A 192.0.2.9"]);
  expect(await service.ask("mail.kept.example A")).toEqual(["mail.kept.example. 300 IN A 192.0.2.3"]);
  await page.getByText("The draft is empty").waitFor();
  await first.page.reload();
  await first.page.getByText("192.0.2.9", { exact: true }).waitFor();
  await expect.poll(() => first.page.getByRole("button", { name: /unapplied/ }).count()).toBe(0);
  expect(real([...first.complaints, ...second.complaints])).toEqual([]);
});

test("edits of two browsers meet in one draft, and it is discarded as one", async () => {
  await zoneWith("both.example", ["a.both.example A", "192.0.2.1"], ["b.both.example A", "192.0.2.2"]);
  const [first, second] = [await portal.signedIn("/zones/both.example"), await portal.signedIn("/zones/both.example")];
  await draftEdit(first.page, "a A", "192.0.2.8");
  await draftEdit(second.page, "b A", "192.0.2.9");
  await second.page.getByText("2 edits in this zone wait in the draft").waitFor();
  await first.page.reload();
  await first.page.getByText("2 edits in this zone wait in the draft").waitFor();
  await act(first.page, "Discard 2 edits");
  await expect.poll(() => first.page.getByRole("region", { name: /in the draft$/ }).count()).toBe(0);
  await second.page.goto(`${service.url}/changes`);
  await second.page.getByText("The draft is empty").waitFor();
  expect(await service.ask("a.both.example A")).toEqual(["a.both.example. 300 IN A 192.0.2.1"]);
  expect(real([...first.complaints, ...second.complaints])).toEqual([]);
});
