/** The page of a record: a geographic failover, built by pointer and by keys, seen in the simulator and proven by DNS. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { output } from "../machine/processes.ts";
import { findingsOf, startPortal } from "./kit/portal.ts";

const place = mkdtempSync(join(tmpdir(), "fairlead-portal-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const overrides = join(place, "overrides.csv");
writeFileSync(overrides, "prefix,country\n192.0.2.0/24,DE\n198.51.100.0/24,US\n");

const portal = await startPortal({ flags: ["--geo", overrides] });
const { service } = portal;
await service.zone("example.com");
const source = await service.must<{ id: string }>("PUT", "data/sources", {
  name: "health",
  sourcetype: "nsone_v1",
  config: {},
});
const feed = await service.must<{ id: string }>("PUT", `data/feeds/${source.id}`, {
  name: "fra-1",
  config: { label: "fra-1" },
  max_age: 3600,
  fallback: { up: false },
});
const push = (up: boolean) => service.must("POST", `feed/${source.id}`, { "fra-1": { up } });
await push(true);

/** Pages wait for the service, and tests share the machine. */
const patience = { timeout: 60_000 };
const ask = (name: string, subnet: string) => service.dig(name, "+short", `+subnet=${subnet}`);
const choose = async (page: Page, menu: string | Locator, item: RegExp | string) => {
  await (typeof menu === "string" ? page.getByRole("button", { name: menu, exact: true }) : menu).click();
  await page.getByRole("menuitem", { name: item }).click();
};

/** Adds a group with an answer that is for a large region. */
async function addGroup(page: Page, name: string, region: string, address: string): Promise<void> {
  await page.getByRole("button", { name: "Add group" }).click();
  await page.getByLabel("Name of the group").fill(name);
  await page.keyboard.press("Enter");
  await choose(page, `Group ${name}: Add metadata`, /georegion/);
  const field = page.getByRole("combobox", { name: "georegion" }).last();
  await field.click();
  await page.getByRole("option", { name: region, exact: true }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Add answer to ${name}` }).click();
  await page.getByRole("textbox", { name: "address", exact: true }).last().fill(address);
}

const chainOf = async (page: Page) =>
  (await page.getByRole("button", { name: /: space lifts it/ }).all()).length === 0
    ? []
    : await page
        .locator("[data-rfd-draggable-id]")
        .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-rfd-draggable-id")!.replace(/\d+$/, "")));

async function addFilters(page: Page, ...filters: readonly string[]): Promise<void> {
  for (const filter of filters) await choose(page, "Add filter", new RegExp(` ${filter}$`));
  expect(await chainOf(page)).toEqual(filters);
}

/** Drags a filter by pointer to the place of another one. Rows move when warnings come, so each step waits for its effect. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const handles = page.getByRole("button", { name: /: space lifts it/ });
  const announced = () => page.locator("[aria-live=assertive]").first().innerText();
  const step = to < from ? -4 : 4;
  const lift = async () => {
    await page.mouse.up();
    await handles.nth(from).hover();
    await page.mouse.down();
    const { x, y } = (await handles.nth(from).boundingBox())!;
    await page.mouse.move(x + 8, y + 8 + 5 * step, { steps: 5 });
    return await announced();
  };
  await expect.poll(lift, { ...patience, interval: 500 }).toMatch(/lifted|moved/);
  const { x, y } = (await handles.nth(to).boundingBox())!;
  await page.mouse.move(x + 8, y + 8, { steps: 8 });
  let further = 0;
  const move = async () => {
    further += step;
    await page.mouse.move(x + 8, y + 8 + further);
    return await announced();
  };
  await expect.poll(move, { ...patience, interval: 300 }).toContain(`to position ${to + 1}`);
  await page.mouse.up();
}

const chain = ["up", "geotarget_regional", "select_first_region", "select_first_n"];

test("a geographic failover is built by drag and drop, seen in the simulator, saved, and answered", async () => {
  const { page, complaints } = await portal.signedIn("/zones/example.com/www.example.com/A?new=1");
  await page
    .getByRole("button", { name: /^Remove answer/ })
    .first()
    .click();
  await addGroup(page, "eu", "EUROPE", "192.0.2.1");
  await addGroup(page, "us", "US-EAST", "198.51.100.1");
  const first = page.getByRole("group", { name: "Answer 192.0.2.1" });
  await choose(page, first.getByRole("button", { name: /Add metadata/ }), / up$/);
  await first.getByRole("button", { name: "up: Value from a feed" }).click();
  const second = page.getByRole("group", { name: "Answer 198.51.100.1" });
  await choose(page, second.getByRole("button", { name: /Add metadata/ }), / up$/);

  await addFilters(page, "geotarget_regional", "select_first_region", "select_first_n", "up");
  await drag(page, 3, 0);
  await expect.poll(() => chainOf(page), patience).toEqual(chain);

  const simulator = page.getByRole("region", { name: "Simulator" });
  const answer = simulator.getByRole("group", { name: "Answer" });
  await simulator.getByLabel("Client address").fill("192.0.2.7");
  await expect.poll(() => answer.innerText(), patience).toContain("192.0.2.1");
  await simulator.getByLabel("Client address").fill("198.51.100.7");
  await expect.poll(() => answer.innerText(), patience).toContain("198.51.100.1");
  await simulator.getByLabel("Client address").fill("192.0.2.7");
  await expect.poll(() => answer.innerText(), patience).toContain("192.0.2.1");
  await simulator.getByText("down", { exact: true }).click();
  await expect.poll(() => answer.innerText(), patience).toContain("198.51.100.1");
  await expect.poll(() => simulator.locator("del").first().innerText(), patience).toContain("192.0.2.1");
  await simulator.getByText("what it says", { exact: true }).click();
  await expect.poll(() => answer.innerText(), patience).toContain("192.0.2.1");
  await simulator.getByLabel("Assume that no feed is pushed").selectOption({ label: "for 1 day" });
  await expect.poll(() => answer.innerText(), patience).toContain("198.51.100.1");
  await simulator.getByLabel("Assume that no feed is pushed").selectOption({ label: "no" });
  expect(await service.dig("www.example.com", "+short")).toBe("");

  await page.getByRole("button", { name: "Create record" }).click();
  await page.getByText(/^Saved, answered by 1 of 1 edge/).waitFor();
  expect(await ask("www.example.com", "192.0.2.0/24")).toBe("192.0.2.1\n");
  expect(await ask("www.example.com", "198.51.100.0/24")).toBe("198.51.100.1\n");
  await push(false);
  await expect.poll(() => ask("www.example.com", "192.0.2.0/24"), patience).toBe("198.51.100.1\n");
  await push(true);
  const now = page.getByRole("region", { name: "Answers now" });
  await expect.poll(() => now.innerText(), patience).toContain("192.0.2.1");
  expect(await now.innerText()).toContain("The answer that clients of a country get most.");
  expect(await now.innerText()).not.toContain("no geo files");
  expect(await findingsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the chain is put in order by keys alone, and what moved is announced", async () => {
  await service.must("PUT", "zones/example.com/keys.example.com/A", {
    ...{ zone: "example.com", domain: "keys.example.com", type: "A" },
    answers: [{ answer: ["192.0.2.1"], meta: { up: { feed: feed.id } } }, { answer: ["192.0.2.2"] }],
  });
  const { page, complaints } = await portal.signedIn("/zones/example.com/keys.example.com/A");
  await addFilters(page, "select_first_n", "up");
  await page.getByRole("button", { name: /^Move .*down.*space lifts it/i }).focus();
  const announced = () => page.locator("[aria-live=assertive]").first().innerText();
  await page.keyboard.press("Space");
  await expect.poll(announced, patience).toMatch(/lifted/);
  await page.keyboard.press("ArrowUp");
  await expect.poll(announced, patience).toMatch(/moved/);
  await page.keyboard.press("Space");
  await expect.poll(() => chainOf(page), patience).toEqual(["up", "select_first_n"]);
  await expect.poll(announced, patience).toMatch(/dropped/);
  await page.getByRole("button", { name: "Save record" }).click();
  await page.getByText(/^Saved/).waitFor();
  expect(await service.dig("keys.example.com", "+short")).toBe("192.0.2.1\n");
  expect(complaints).toEqual([]);
});

test("a form composes an answer that few people know by heart", async () => {
  const { page, complaints } = await portal.signedIn("/zones/example.com/_dmarc.example.com/TXT?new=1");
  await page.getByRole("button", { name: /^Help with this answer/ }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("combobox", { name: "What it is for" }).click();
  await page.getByRole("option", { name: /^DMARC/ }).click();
  await form.getByRole("combobox", { name: "Policy (p)" }).click();
  await page.getByRole("option", { name: "reject" }).click();
  await form.getByLabel("Addresses for daily reports (rua)").fill("reports@example.com");
  await form.getByText("v=DMARC1; p=reject; rua=mailto:reports@example.com").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await form.getByRole("button", { name: "Use this answer" }).click();
  await page.getByRole("button", { name: "Create record" }).click();
  await page.getByText(/^Saved/).waitFor();
  await expect
    .poll(() => service.ask("_dmarc.example.com TXT"), patience)
    .toEqual(['_dmarc.example.com. 3600 IN TXT "v=DMARC1; p=reject; rua=mailto:reports@example.com"']);
  expect(complaints).toEqual([]);
});

test("a reload loses nothing that was typed, and a refusal stands at its field", async () => {
  await service.put("example.com", "typed.example.com A", ["192.0.2.3"]);
  const { page } = await portal.signedIn("/zones/example.com/typed.example.com/A");
  const field = page.getByRole("textbox", { name: "address", exact: true });
  await field.fill("192.0.2.333");
  await page.reload();
  await expect.poll(() => field.inputValue(), patience).toBe("192.0.2.333");
  await page.getByRole("button", { name: "Save record" }).click();
  // the simulator refuses the address, too, without a field
  await expect.poll(() => field.getAttribute("aria-invalid"), patience).toBe("true");
  expect(await page.getByText(/is not an IPv4 address/).count()).toBeGreaterThan(0);
  expect(await service.ask("typed.example.com A")).toEqual(["typed.example.com. 3600 IN A 192.0.2.3"]);
});

test("two editors of a record meet in a conflict, and nobody's edit is lost", async () => {
  await service.put("example.com", "both.example.com A", ["192.0.2.4"]);
  const { page } = await portal.signedIn("/zones/example.com/both.example.com/A");
  const field = page.getByRole("textbox", { name: "address", exact: true });
  await field.fill("192.0.2.5");
  await service.put("example.com", "both.example.com A", ["192.0.2.6"]);
  await page.getByRole("button", { name: "Save record" }).click();
  const conflict = page.getByRole("alert").filter({ hasText: "Somebody else saved" });
  await conflict.waitFor();
  expect(await conflict.innerText()).toMatch(/192\.0\.2\.5[\s\S]*192\.0\.2\.6/);
  expect(await service.ask("both.example.com A")).toEqual(["both.example.com. 3600 IN A 192.0.2.6"]);
  await conflict.getByRole("button", { name: "Save mine over it" }).click();
  await page.getByText(/^Saved/).waitFor();
  await expect
    .poll(() => service.ask("both.example.com A"), patience)
    .toEqual(["both.example.com. 3600 IN A 192.0.2.5"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect
    .poll(() => service.ask("both.example.com A"), patience)
    .not.toEqual(["both.example.com. 3600 IN A 192.0.2.5"]);
});

test("a template makes the chain; a country of the map and an AS number ask from there", async () => {
  const answersOf = (key: string, values: readonly unknown[]) =>
    values.map((value, at) => ({ answer: [`192.0.2.${at + 1}`], meta: { up: true, [key]: value } }));
  await service.must("PUT", "zones/example.com/map.example.com/A", {
    regions: { eu: { meta: { georegion: ["EUROPE"] } }, us: { meta: { georegion: ["US-EAST"] } } },
    answers: [
      { answer: ["192.0.2.1"], region: "eu" },
      { answer: ["198.51.100.1"], region: "us" },
    ],
  });
  await service.must("PUT", "zones/example.com/network.example.com/A", {
    answers: answersOf("asn", [[64500], [64501]]),
    filters: [{ filter: "netfence_asn", config: { remove_no_asn: true } }],
  });
  const { page, complaints } = await portal.signedIn("/zones/example.com/map.example.com/A");
  await choose(page, "Template", /^Geographic/);
  await expect.poll(() => chainOf(page), patience).toEqual(chain.filter((filter) => filter !== "select_first_region"));
  const simulator = page.getByRole("region", { name: "Simulator" });
  const answer = simulator.getByRole("group", { name: "Answer" });
  await simulator.getByRole("button", { name: "By country" }).click();
  const country = (name: string) => simulator.locator("path", { has: page.locator("title", { hasText: name }) });
  await country("Germany: 192.0.2.1").click();
  await expect.poll(() => answer.innerText(), patience).toMatch(/^192\.0\.2\.1\s/);
  await country("United States: 198.51.100.1").click();
  await expect.poll(() => answer.innerText(), patience).toMatch(/^198\.51\.100\.1\s/);
  // Enter chooses the only match; at the speed of a person, since an opening list forgets its mark once more
  await simulator.getByRole("combobox", { name: "State or province" }).pressSequentially("NY", { delay: 200 });
  await page.locator("[role=option][data-combobox-selected]", { hasText: "NY" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url(), patience).toContain("in=US-NY");
  await expect.poll(() => answer.innerText(), patience).toMatch(/^198\.51\.100\.1\s/);
  expect(await findingsOf(page)).toEqual([]);
  await page.goto(`${service.url}/zones/example.com/network.example.com/A`);
  await simulator.getByLabel("AS number").fill("64501");
  await expect.poll(() => answer.innerText(), patience).toMatch(/^192\.0\.2\.2\s/);
  expect(complaints).toEqual([]);
});

test("a record is copied as a call that makes it again, and in other shapes", async () => {
  const body = {
    ttl: 60,
    regions: { eu: { meta: { georegion: ["EUROPE"] } } },
    answers: [{ answer: ["it's 5 %{of} it"], region: "eu", meta: { up: { feed: feed.id }, weight: 2 } }],
    filters: [{ filter: "up", config: {} }],
  };
  await service.must("PUT", "zones/example.com/copy.example.com/TXT", body);
  const { page } = await portal.signedIn("/zones/example.com/copy.example.com/TXT");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = async (shape: string) => {
    await choose(page, "Copy as", shape);
    await page.getByText("Copied").last().waitFor();
    return await page.evaluate<string>("navigator.clipboard.readText()");
  };
  const call = await copied("curl");
  await service.remove("example.com", "copy.example.com TXT");
  await expect.poll(() => service.ask("copy.example.com TXT"), patience).toEqual([]);
  const reply = await output("bash", ["-c", call], { env: { ...process.env, FAIRLEAD_KEY: service.key } });
  expect(JSON.parse(reply)).toMatchObject(body);
  const line = 'copy.example.com. 60 IN TXT "it\'s 5 %{of} it"';
  await expect.poll(() => service.ask("copy.example.com TXT"), patience).toEqual([line]);
  expect(await copied("zone file")).toBe(line);
  expect(JSON.parse(await copied("API JSON"))).toMatchObject(body);
  const terraform = await copied("Terraform");
  for (const part of [
    'answer = "it\'s 5 %%{of} it"',
    `up = jsonencode({"feed":"${feed.id}"})`,
    'georegion = "EUROPE"',
    'filter = "up"',
  ])
    expect(terraform).toContain(part);
});

test("the page of a record begins with what the draft has, and saving it takes it out of the draft", async () => {
  await service.put("example.com", "drafted.example.com A", ["192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/zones/example.com/drafted.example.com/A");
  const field = page.getByRole("textbox", { name: "address", exact: true });
  await field.fill("192.0.2.8");
  await page.getByRole("button", { name: "Add to draft" }).click();
  await page.getByText("This record is edited in your draft.").waitFor();
  await page.reload();
  await expect.poll(() => field.inputValue(), patience).toBe("192.0.2.8");
  expect(await service.ask("drafted.example.com A")).toEqual(["drafted.example.com. 3600 IN A 192.0.2.1"]);
  await page.getByRole("button", { name: "Save record" }).click();
  await page.getByText(/^Saved, answered by 1 of 1 edge/).waitFor();
  await page.getByText("This record is edited in your draft.").waitFor({ state: "hidden" });
  expect(await service.ask("drafted.example.com A")).toEqual(["drafted.example.com. 3600 IN A 192.0.2.8"]);
  expect(complaints).toEqual([]);
});

test("a comment stands in the list of records, and in no answer", async () => {
  await service.put("example.com", "comment.example.com A", ["192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/zones/example.com/comment.example.com/A");
  await page.getByLabel("Comment").fill("moved by Dora");
  await page.getByRole("button", { name: "Save record" }).click();
  await page.getByText(/^Saved/).waitFor();
  await page.getByRole("link", { name: "example.com", exact: true }).click();
  await page
    .getByRole("row", { name: /comment A/ })
    .getByText("moved by Dora")
    .waitFor();
  expect(await service.must("GET", "zones/example.com/comment.example.com/A")).toMatchObject({
    meta: { note: "moved by Dora" },
  });
  expect(await service.ask("comment.example.com A")).toEqual(["comment.example.com. 3600 IN A 192.0.2.1"]);
  expect(complaints).toEqual([]);
});

test("a record is edited as JSON, and the form follows", async () => {
  await service.put("example.com", "raw.example.com A", ["192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/zones/example.com/raw.example.com/A");
  await page.getByText("JSON", { exact: true }).click();
  const raw = page.getByRole("textbox", { name: "Record", exact: true });
  const before = await raw.inputValue();
  await raw.fill(before.replace('"192.0.2.1"', "192.0.2.1"));
  await expect.poll(() => raw.getAttribute("aria-invalid"), patience).toBe("true");
  await raw.fill(before.replace("[", "{"));
  await expect.poll(() => raw.getAttribute("aria-invalid"), patience).toBe("true");
  await raw.fill(before.replace("192.0.2.1", "192.0.2.7").replace('"ttl": 3600', '"ttl": 77'));
  await page.getByText("Form", { exact: true }).click();
  const field = page.getByRole("textbox", { name: "address", exact: true });
  expect(await field.inputValue()).toBe("192.0.2.7");
  await page.getByRole("button", { name: "Save record" }).click();
  await page.getByText(/^Saved/).waitFor();
  await expect.poll(() => service.ask("raw.example.com A"), patience).toEqual(["raw.example.com. 77 IN A 192.0.2.7"]);
  expect(complaints).toEqual([]);
});
