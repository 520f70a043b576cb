/** The pages of a zone: records edited in their rows, a draft, versions, settings, and what attackers write into names. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { findingsOf, startPortal } from "../kit/portal.ts";

const portal = await startPortal();
const { service } = portal;

/** Makes a zone for one test, with these records. */
async function zoneWith(zone: string, ...records: readonly (readonly [question: string, ...answers: string[]])[]) {
  await service.zone(zone, { nx_ttl: 300 });
  for (const [question, ...answers] of records) await service.put(zone, question, ...answers.map((one) => [one]));
}

/** Messages of the browser about refused requests are its own. */
const real = (complaints: readonly string[]) =>
  complaints.filter((text) => !text.includes("the server responded with a status of 4"));

const act = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const answers = (page: Page) => page.getByRole("textbox", { name: "Answers", exact: true });
const lines = (page: Page) => page.getByRole("textbox", { name: "Records, one a line" });
const versionsOf = async (zone: string) => (await service.must<unknown[]>("GET", `zones/${zone}/versions`)).length;

test("records are added as lines, each message stands at its line, and DNS answers them", async () => {
  await zoneWith("add.example");
  const { page, complaints } = await portal.signedIn("/zones/add.example");
  await act(page, "Add records");
  await lines(page).fill(
    "www 300 A 192.0.2.1\nwww A 192.0.2.2\nmail FOO x\n@ MX 10 mail.add.example.\nx A 192.0.2.300",
  );
  await page.getByText('Line 3: "FOO" is no record type').waitFor();
  await lines(page).fill("www 300 A 192.0.2.1\nwww A 192.0.2.2\n@ MX 10 mail.add.example.\nx A 192.0.2.300");
  await act(page, "Save 3 records now");
  await page.getByText(/^Line 4: .*is not an IPv4 address/).waitFor();
  expect(await service.ask("www.add.example A")).toEqual([]);
  await lines(page).fill("www 300 A 192.0.2.1\nwww A 192.0.2.2\n@ MX 10 mail.add.example.\nx TXT some  text");
  await act(page, "Save 3 records now");
  await page.getByText(/^3 records were saved/).waitFor();
  await expect
    .poll(() => service.ask("www.add.example A"))
    .toEqual(["www.add.example. 300 IN A 192.0.2.1", "www.add.example. 300 IN A 192.0.2.2"]);
  expect(await service.ask("add.example MX")).toEqual(["add.example. 300 IN MX 10 mail.add.example."]);
  expect(await service.ask("x.add.example TXT")).toEqual(['x.add.example. 300 IN TXT "some text"']);
  expect(await findingsOf(page)).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("a record is edited in its row by keys, saved at once, and taken back", async () => {
  await zoneWith("row.example", ["www.row.example A", "192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/zones/row.example");
  await page.getByText("192.0.2.1", { exact: true }).waitFor();
  // the first row is that of the name servers
  for (const key of ["j", "j", "e"]) await page.keyboard.press(key);
  await answers(page).fill("192.0.2.5\n192.0.2.6");
  await page.reload();
  expect(await answers(page).inputValue()).toBe("192.0.2.5\n192.0.2.6");
  await answers(page).press("Control+Enter");
  await page.getByText(/^The record was saved, answered by 1 of 1 edge/).waitFor();
  await expect
    .poll(() => service.ask("www.row.example A"))
    .toEqual(["www.row.example. 300 IN A 192.0.2.5", "www.row.example. 300 IN A 192.0.2.6"]);
  await act(page, "Undo");
  await expect.poll(() => service.ask("www.row.example A")).toEqual(["www.row.example. 300 IN A 192.0.2.1"]);
  await act(page, "Edit www A");
  await answers(page).fill("192.0.2.777");
  await act(page, "Save now");
  await page.getByText(/is not an IPv4 address/).waitFor();
  expect(await answers(page).getAttribute("aria-invalid")).toBe("true");
  expect(real(complaints)).toEqual([]);
});

test("two editors of a row meet in a conflict", async () => {
  await zoneWith("both.example", ["www.both.example A", "192.0.2.1"]);
  const { page } = await portal.signedIn("/zones/both.example");
  await act(page, "Edit www A");
  await page.waitForLoadState("networkidle");
  await answers(page).fill("192.0.2.2");
  await service.put("both.example", "www.both.example A", ["192.0.2.3"]);
  await act(page, "Save now");
  await page.getByText(/Somebody else saved this record meanwhile: 192\.0\.2\.3/).waitFor();
  expect(await service.ask("www.both.example A")).toEqual(["www.both.example. 300 IN A 192.0.2.3"]);
  await act(page, "Save mine anyway");
  await expect.poll(() => service.ask("www.both.example A")).toEqual(["www.both.example. 300 IN A 192.0.2.2"]);
});

test("a draft of several edits is one change, and comes back as one", async () => {
  const records = ["a", "b", "c", "d", "e"].map((name) => [`${name}.draft.example A`, "192.0.2.1"] as const);
  await zoneWith("draft.example", ...records);
  const { page, complaints } = await portal.signedIn("/zones/draft.example");
  await act(page, "Edit a A");
  await answers(page).fill("192.0.2.9");
  await act(page, "Add to the draft");
  await act(page, "Add records");
  await lines(page).fill("new A 192.0.2.8\na A 192.0.2.10");
  await act(page, "Add to the draft");
  await page.getByText("2 edits in this zone are not saved").waitFor();
  for (const name of ["b", "c"]) await page.getByRole("checkbox", { name: `Select ${name}.draft.example/A` }).check();
  await page.getByLabel("New TTL").fill("5m");
  await act(page, "Set the TTL");
  await page.getByRole("checkbox", { name: "Select d.draft.example/A" }).check();
  await act(page, "Delete the record");
  await page.getByRole("dialog").getByRole("button", { name: "Add to the draft" }).click();
  await page.getByText("5 edits in this zone are not saved").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await page.reload();
  expect(await service.ask("a.draft.example A")).toEqual(["a.draft.example. 300 IN A 192.0.2.1"]);
  const before = await versionsOf("draft.example");
  await act(page, "Save 5 edits");
  await page.getByText(/^5 records were saved/).waitFor();
  await expect
    .poll(() => service.ask("a.draft.example A"))
    .toEqual(["a.draft.example. 300 IN A 192.0.2.10", "a.draft.example. 300 IN A 192.0.2.9"]);
  expect(await service.ask("d.draft.example A")).toEqual([]);
  await expect.poll(() => versionsOf("draft.example")).toBe(before + 1);
  await act(page, "Undo");
  await expect.poll(() => service.ask("d.draft.example A")).toEqual(["d.draft.example. 300 IN A 192.0.2.1"]);
  expect(await service.ask("new.draft.example A")).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("versions are compared, seen, and restored as a whole or for one record", async () => {
  await zoneWith("past.example", ["www.past.example A", "192.0.2.1"], ["mail.past.example A", "192.0.2.2"]);
  await service.put("past.example", "www.past.example A", ["192.0.2.7"]);
  await service.remove("past.example", "mail.past.example A");
  await expect.poll(() => versionsOf("past.example")).toBe(5);
  const { page, complaints } = await portal.signedIn("/zones/past.example?tab=versions");
  const changes = page.getByRole("button", { name: /^Changes of version/ });
  await changes.nth(1).click();
  const difference = page.getByRole("region", { name: /^From version/ });
  await expect.poll(() => difference.innerText()).toMatch(/192\.0\.2\.1[\s\S]*192\.0\.2\.7/);
  await act(page, "Restore www A to the earlier version");
  await expect.poll(() => service.ask("www.past.example A")).toEqual(["www.past.example. 300 IN A 192.0.2.1"]);
  expect(await findingsOf(page)).toEqual([]);
  await page
    .getByRole("button", { name: /^View the zone in version/ })
    .last()
    .click();
  await page.getByText(/You see the zone as it was/).waitFor();
  expect(await page.getByRole("button", { name: "Add records" }).count()).toBe(0);
  await act(page, "Back to now");
  await page.getByRole("tab", { name: "Versions" }).click();
  // the state with both records
  await page
    .getByRole("button", { name: /^Restore the zone to version/ })
    .nth(1)
    .click();
  await act(page, "Restore the zone");
  await expect.poll(() => service.ask("mail.past.example A")).toEqual(["mail.past.example. 300 IN A 192.0.2.2"]);
  expect(real(complaints)).toEqual([]);
});

test("settings are saved for what was changed, and a deleted zone comes back", async () => {
  await zoneWith("set.example", ["www.set.example A", "192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/zones/set.example?tab=settings");
  await page.getByLabel(/^Negative TTL/).fill("5x");
  await act(page, "Save the times");
  await page.getByText("A number of seconds, or such as 5m, 1h, 1d.").waitFor();
  await page.getByLabel(/^Negative TTL/).fill("10m");
  await act(page, "Save the times");
  await expect.poll(async () => (await service.must("GET", "zones/set.example"))["nx_ttl"]).toBe(600);
  await act(page, "Add a tag");
  await page.getByLabel("Tag", { exact: true }).fill("team");
  await page.getByLabel("Value of the tag team").fill("web");
  await act(page, "Save the tags");
  await expect.poll(async () => (await service.must("GET", "zones/set.example"))["tags"]).toEqual({ team: "web" });
  await page.getByText(/^set\.example\. 86400 IN NS /).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await act(page, "Delete the zone");
  await page.getByRole("dialog").getByRole("button", { name: "Delete the zone" }).click();
  await act(page, "Bring set.example back");
  await page.getByRole("heading", { name: "set.example" }).waitFor();
  await expect.poll(() => service.ask("www.set.example A")).toEqual(["www.set.example. 300 IN A 192.0.2.1"]);
  await service.must("DELETE", "zones/set.example");
  await page.goto(`${service.url}/deletedzones`);
  await act(page, "Remove set.example for good");
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("button", { name: "Remove for good" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Type set.example to confirm").fill("set.example");
  await dialog.getByRole("button", { name: "Remove for good" }).click();
  await expect.poll(() => service.must("GET", "deletedzones")).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("names and answers of an attacker are text, in every tab, light and dark, wide and narrow", async () => {
  const evil = `<img src=x onerror="document.title='owned'">\u202egnp.exe`;
  await zoneWith("evil.example", ["xn--mnchen-3ya.evil.example A", "192.0.2.1"], ["t.evil.example TXT", evil]);
  await service.put("evil.example", "dangling.evil.example CNAME", ["nothing.evil.example."]);
  for (const [scheme, width] of [
    ["light", 1440],
    ["dark", 390],
  ] as const) {
    const { page, complaints } = await portal.signedIn("/zones/evil.example", { scheme, width });
    await page.getByText(/^<img src=x onerror=.*u\{202e\}/).waitFor();
    for (const tab of ["Records", "Settings", "Transfers", "Versions", "Statistics", "Activity", "Lint"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForLoadState("networkidle");
      expect([tab, await findingsOf(page)]).toEqual([tab, []]);
      expect(await page.title()).toBe("evil.example \u00b7 Fairlead");
    }
    await page.getByText(/nothing\.evil\.example does not exist/).waitFor();
    expect(real(complaints)).toEqual([]);
  }
});

test("10,000 records are searched, and are a file in three forms", async () => {
  await service.zone("large.example");
  for (let part = 0; part < 10; part++) {
    const put = Array.from({ length: 1000 }, (_, i) => ({
      ...{ domain: `h${part * 1000 + i}.large.example`, type: "A" },
      answers: [{ answer: [`10.0.${part}.${i % 256}`] }],
    }));
    await service.must("POST", "zones/large.example/records", { put });
  }
  const { page, complaints } = await portal.signedIn("/zones/large.example");
  await page.getByText(/^100 of 10001$/).waitFor();
  await page.getByLabel("Search in names and answers").fill("h9999");
  await page.getByText("h9999", { exact: true }).waitFor();
  expect(await page.getByRole("row").count()).toBe(2);
  const sizes = { "Zone file": 10_001, CSV: 10_000, JSON: 10_000 };
  for (const [form, least] of Object.entries(sizes)) {
    await act(page, "Export");
    const file = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: form }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await file).createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString().split("\n").length).toBeGreaterThan(least);
  }
  expect(real(complaints)).toEqual([]);
});
