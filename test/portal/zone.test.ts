/** The records of a zone: added as lines, edited in their rows, in conflict, and collected in a draft. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { act, findingsOf, real, startPortal } from "./kit/portal.ts";
import { zonesOf } from "./kit/zones-of.ts";

const portal = await startPortal();
const { service } = portal;
const zoneWith = zonesOf(service);

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

test("a record that is typed in the zone goes along to its page, with the answers that it has", async () => {
  await zoneWith("page.example", ["www.page.example A", "192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/zones/page.example");
  const address = page.getByRole("textbox", { name: "address", exact: true });
  await act(page, "Add records");
  await lines(page).fill("geo 60 A 192.0.2.8");
  await act(page, "geo A with groups, metadata or filters");
  await expect.poll(() => address.inputValue()).toBe("192.0.2.8");
  await act(page, "Create record");
  await expect.poll(() => service.ask("geo.page.example A")).toEqual(["geo.page.example. 60 IN A 192.0.2.8"]);
  await page.goto(`${service.url}/zones/page.example`);
  await act(page, "Edit www A");
  await page.getByRole("link", { name: "All fields" }).waitFor();
  await act(page, "Add records");
  await lines(page).fill("www A 192.0.2.2");
  await act(page, "www A with groups, metadata or filters");
  await expect.poll(() => address.count()).toBe(2);
  await act(page, "Save record");
  await expect
    .poll(() => service.ask("www.page.example A"))
    .toEqual(["www.page.example. 300 IN A 192.0.2.1", "www.page.example. 300 IN A 192.0.2.2"]);
  expect(await findingsOf(page)).toEqual([]);
  expect(real(complaints)).toEqual([]);
});

test("two editors of a row meet in a conflict", async () => {
  await zoneWith("both.example", ["www.both.example A", "192.0.2.1"]);
  const { page } = await portal.signedIn("/zones/both.example");
  await act(page, "Edit www A");
  await answers(page).fill("192.0.2.2");
  await service.put("both.example", "www.both.example A", ["192.0.2.3"]);
  await act(page, "Save now");
  await page.getByText(/Somebody else saved this record meanwhile: 192\.0\.2\.3/).waitFor();
  await expect.poll(() => service.ask("www.both.example A")).toEqual(["www.both.example. 300 IN A 192.0.2.3"]);
  await act(page, "Save mine anyway");
  await expect.poll(() => service.ask("www.both.example A")).toEqual(["www.both.example. 300 IN A 192.0.2.2"]);
});

test("a draft of five edits is reviewed, applied as one change, and brought back", async () => {
  const records = ["a", "b", "c", "d", "e"].map((name) => [`${name}.draft.example A`, "192.0.2.1"] as const);
  await zoneWith("draft.example", ...records);
  const { page, complaints } = await portal.signedIn("/zones/draft.example");
  await act(page, "Edit a A");
  await answers(page).fill("192.0.2.9");
  await act(page, "Add to the draft");
  await page.getByText("1 edit in this zone waits in the draft").waitFor();
  await act(page, "Add records");
  await lines(page).fill("new A 192.0.2.8\na A 192.0.2.10");
  await act(page, "Add to the draft");
  await page.getByText("2 edits in this zone wait in the draft").waitFor();
  for (const name of ["b", "c"]) await page.getByRole("checkbox", { name: `Select ${name}.draft.example/A` }).check();
  await page.getByLabel("New TTL").fill("10m");
  await act(page, "Set the TTL");
  await page.getByText("4 edits in this zone wait in the draft").waitFor();
  const edited = (name: string) => page.getByRole("row", { name: new RegExp(`Select ${name}\\.draft`) });
  expect(await edited("b").innerText()).toMatch(/300\s+600/);
  expect(await edited("b").locator(".struck").allInnerTexts()).toEqual(["300"]);
  await page.getByRole("checkbox", { name: "Select d.draft.example/A" }).check();
  await act(page, "Delete the record");
  await page.getByRole("dialog").getByRole("button", { name: "Add to the draft" }).click();
  await page.getByText("5 edits in this zone wait in the draft").waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(await service.ask("a.draft.example A")).toEqual(["a.draft.example. 300 IN A 192.0.2.1"]);
  const before = await versionsOf("draft.example");
  await act(page, "Review");
  const review = page.getByRole("region", { name: "draft.example" });
  await expect.poll(() => review.innerText()).toMatch(/192\.0\.2\.9[\s\S]*192\.0\.2\.10/);
  expect(await review.innerText()).toMatch(/new\.draft\.example A\s*new[\s\S]*d\.draft\.example A\s*will be deleted/);
  expect(await findingsOf(page)).toEqual([]);
  await act(page, "Apply 5 edits as one change");
  await page.getByText(/^The draft is applied, answered by 1 of 1 edge/).waitFor();
  expect(await service.ask("a.draft.example A")).toEqual([
    "a.draft.example. 300 IN A 192.0.2.10",
    "a.draft.example. 300 IN A 192.0.2.9",
  ]);
  expect(await service.ask("b.draft.example A")).toEqual(["b.draft.example. 600 IN A 192.0.2.1"]);
  expect(await service.ask("d.draft.example A")).toEqual([]);
  await expect.poll(() => versionsOf("draft.example")).toBe(before + 1);
  await act(page, "Undo");
  await expect.poll(() => service.ask("d.draft.example A")).toEqual(["d.draft.example. 300 IN A 192.0.2.1"]);
  expect(await service.ask("new.draft.example A")).toEqual([]);
  expect(await service.ask("b.draft.example A")).toEqual(["b.draft.example. 300 IN A 192.0.2.1"]);
  expect(real(complaints)).toEqual([]);
});

test("a selected row keeps the edit that it gets meanwhile when the selection gets another TTL", async () => {
  await zoneWith("selected.example", ["www.selected.example A", "192.0.2.1"]);
  const { page, complaints } = await portal.signedIn("/zones/selected.example");
  await page.getByRole("checkbox", { name: "Select www.selected.example/A" }).check();
  await act(page, "Edit www A");
  await answers(page).fill("192.0.2.9");
  await act(page, "Add to the draft");
  await page.getByText("1 edit in this zone waits in the draft").waitFor();
  await page.getByLabel("New TTL").fill("10m");
  await act(page, "Set the TTL");
  await page.getByText("1 record is selected").waitFor({ state: "hidden" });
  await act(page, "Review");
  await act(page, "Apply 1 edit");
  await page.getByText(/^The draft is applied, answered by 1 of 1 edge/).waitFor();
  expect(await service.ask("www.selected.example A")).toEqual(["www.selected.example. 600 IN A 192.0.2.9"]);
  expect(real(complaints)).toEqual([]);
});
