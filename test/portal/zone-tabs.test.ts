/** The other pages of a zone: versions, settings, what attackers write into names, and many records. */
import { expect, test } from "vitest";
import { act, findingsOf, real, startPortal } from "./kit/portal.ts";
import { zonesOf } from "./kit/zones-of.ts";

const portal = await startPortal();
const { service } = portal;
const zoneWith = zonesOf(service);
const versionsOf = async (zone: string) => (await service.must<unknown[]>("GET", `zones/${zone}/versions`)).length;

test("versions are compared, seen, and restored as a whole or for one record", async () => {
  await zoneWith("past.example", ["www.past.example A", "192.0.2.1"], ["mail.past.example A", "192.0.2.2"]);
  await service.put("past.example", "www.past.example A", ["192.0.2.7"]);
  await service.remove("past.example", "mail.past.example A");
  await expect.poll(() => versionsOf("past.example")).toBe(5);
  const { page, complaints } = await portal.signedIn("/zones/past.example?tab=versions");
  const changes = page.getByRole("button", { name: /^Changes of version/ });
  await page.getByText("Record deleted", { exact: true }).waitFor();
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
  await page.getByLabel(/^Default and negative TTL/).fill("5x");
  await act(page, "Save the times");
  await page.getByText("A number of seconds, or such as 5m, 1h, 1d.").waitFor();
  await page.getByLabel(/^Default and negative TTL/).fill("10m");
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
  await act(page, "Bring back set.example");
  await page.getByRole("heading", { name: "set.example" }).waitFor();
  await expect.poll(() => service.ask("www.set.example A")).toEqual(["www.set.example. 300 IN A 192.0.2.1"]);
  await service.must("DELETE", "zones/set.example");
  await page.goto(`${service.url}/deletedzones`);
  await page.getByRole("button", { name: "Bring back set.example" }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await act(page, "Remove for good: set.example");
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("button", { name: "Remove for good" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Type set.example to confirm").fill("set.example");
  await dialog.getByRole("button", { name: "Remove for good" }).click();
  await expect.poll(() => service.must("GET", "deletedzones")).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

/** What each tab shows when it has read its data. */
const tabs = [
  ["Settings", /^evil\.example\. 86400 IN NS /],
  ["Transfers", "No other server gets this zone."],
  ["Versions", /^now$/],
  ["Statistics", /queries in this period/],
  ["Activity", "written in one call"],
  ["Lint", /nothing\.evil\.example does not exist/],
] as const;

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
    for (const [tab, text] of tabs) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tabpanel", { name: tab }).getByText(text).first().waitFor();
      expect([tab, await findingsOf(page)]).toEqual([tab, []]);
      expect(await page.title()).toBe("evil.example \u00b7 Fairlead");
    }
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
  await page.getByLabel("Search in names and answers").fill("");
  await page.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "NS", exact: true }).click();
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await page.getByText("dns1.p01.fairlead.test", { exact: true }).waitFor();
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
