/** Feeds: from the empty page to a push that changes an answer. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { output } from "../machine/processes.ts";
import { findingsOf, startPortal } from "./kit/portal.ts";

const { service, signedIn } = await startPortal();

const sourceOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1)!;
const rowOf = (page: Page, feed: string) => page.locator("tbody > tr").filter({ hasText: feed }).first();
const feedOf = async (source: string, name: string) =>
  (await service.must<{ name: string; id: string; data: object }[]>("GET", `data/feeds/${source}`)).find(
    (feed) => feed.name === name,
  )!;
const dig = (name: string) => service.dig(name, "+short");

test("the empty page leads to a source with a feed, whose push can be pasted, and an answer follows it", async () => {
  const { page, complaints } = await signedIn("/feeds");
  await page.getByLabel("Name of the source").fill("monitoring");
  await page.getByLabel("Name of the feed").fill("server-1");
  // what was typed outlasts a reload
  await page.reload();
  await page.getByRole("button", { name: "Create source and feed" }).click();
  await page.getByRole("heading", { name: "monitoring" }).waitFor();
  const source = sourceOf(page);
  const command = await page.locator("pre").innerText();
  await output("env", [`FAIRLEAD_KEY=${service.key}`, "sh", "-c", command]);
  const { id, data } = await feedOf(source, "server-1");
  expect(data).toEqual({ up: true });
  await expect.poll(() => rowOf(page, "server-1").innerText(), { timeout: 20_000 }).toContain("fresh");

  await service.zone("example.com");
  const answers = [
    { answer: ["192.0.2.1"], meta: { up: { feed: id } } },
    { answer: ["192.0.2.2"], meta: { up: true } },
  ];
  const filters = [{ filter: "up" }, { filter: "select_first_n", config: { N: 1 } }];
  await service.must("PUT", "zones/example.com/www.example.com/A", { answers, filters, ttl: 1 });
  await expect.poll(() => dig("www.example.com")).toBe("192.0.2.1\n");
  await rowOf(page, "server-1").getByRole("button", { name: "Details" }).click();
  await page.getByRole("listitem").filter({ hasText: "192.0.2.1 up" }).getByRole("link").waitFor();
  await page.getByText("down", { exact: true }).click();
  await page.getByRole("button", { name: "Push values" }).click();
  await page.getByText("The values were pushed").waitFor();
  await expect.poll(() => dig("www.example.com")).toBe("192.0.2.2\n");
  expect((await feedOf(source, "server-1")).data).toEqual({ up: false });

  // the last but one
  await page
    .getByRole("button", { name: /^Use again: the values of / })
    .nth(1)
    .click();
  await page.getByRole("button", { name: "Push values" }).click();
  await expect.poll(() => dig("www.example.com")).toBe("192.0.2.1\n");
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a feed is made by the form of its type, goes stale, is changed, and is deleted", async () => {
  const { id } = await service.must<{ id: string }>("PUT", "data/sources", { name: "other", sourcetype: "nsone_v1" });
  const { page, complaints } = await signedIn(`/feeds/${id}`);
  await page.getByRole("button", { name: "New feed" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name of the feed").fill("load");
  await form.getByRole("button", { name: "Create feed" }).click();
  // the label that pushes use is a field of the type, and required
  expect(await form.getByLabel(/^Label/).evaluate((input) => input.matches(":invalid"))).toBe(true);
  await form.getByLabel(/^Label/).fill("load");
  await form.getByLabel(/max_age/).fill("1");
  await form.getByRole("combobox", { name: "Add a value" }).click();
  await page.getByRole("option", { name: /\(weight\)/ }).click();
  await form.getByLabel(/\(weight\)/).fill("3");
  await form.getByRole("button", { name: "Create feed" }).click();
  await form.waitFor({ state: "hidden" });
  expect(await feedOf(id, "load")).toMatchObject({ config: { label: "load" }, max_age: 1, fallback: { weight: 3 } });
  await service.must("POST", `feed/${id}`, { load: { weight: 7 } });
  await expect.poll(() => rowOf(page, "load").innerText(), { timeout: 20_000 }).toContain("stale");
  await rowOf(page, "load").getByRole("button", { name: "Details" }).click();
  await expect.poll(() => page.getByRole("row", { name: /weight 7 .*3 fallback$/ }).count()).toBe(1);

  await page.getByRole("button", { name: "Change feed" }).click();
  await form.getByLabel(/max_age/).fill("");
  await form.getByRole("button", { name: "Save feed" }).click();
  await form.waitFor({ state: "hidden" });
  expect(await feedOf(id, "load")).toMatchObject({ max_age: null });
  await expect.poll(() => rowOf(page, "load").innerText()).toContain("fresh");
  await page.getByRole("button", { name: "Delete feed" }).click();
  await form.getByRole("button", { name: "Delete feed" }).click();
  await form.waitFor({ state: "hidden" });
  expect(await service.must("GET", `data/feeds/${id}`)).toEqual([]);

  await page.getByRole("button", { name: "Delete source" }).click();
  await form.getByLabel("Type other to confirm").fill("other");
  await form.getByRole("button", { name: "Delete source" }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/feeds");
  expect((await service.api("GET", `data/sources/${id}`)).status).toBe(404);
  expect(complaints).toEqual([]);
});

test("a value that the service refuses is refused at its field, and the list works on a phone in the dark", async () => {
  const { id } = await service.must<{ id: string }>("PUT", "data/sources", { name: "third", sourcetype: "nsone_v1" });
  await service.must("PUT", `data/feeds/${id}`, { name: "t", config: { label: "t" } });
  const { page } = await signedIn("/feeds", { width: 390, scheme: "dark" });
  await page.getByText("third").click();
  await rowOf(page, "t").getByRole("button", { name: "Details" }).click();
  // in the middle of the window, since a list closes when its field is scrolled out of view
  const added = page.getByRole("combobox", { name: "Add a value" });
  await added.evaluate((field) => field.scrollIntoView({ block: "center" }));
  await added.click();
  await page.getByRole("option", { name: /\(note\)/ }).click();
  await page.getByLabel(/\(note\)/).fill("x".repeat(257));
  await page.getByRole("button", { name: "Push values" }).click();
  await page.getByText(/text of up to 256 characters/).waitFor();
  expect((await feedOf(id, "t")).data).toEqual({});
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(await findingsOf(page)).toEqual([]);
});
