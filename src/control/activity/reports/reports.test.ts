/** Machine-readable reports, with hostile names, and the limits on reports. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { type DefaultTreeAdapterMap, parse as parseHtml } from "parse5";
import { expect, test } from "vitest";
import { atEnd } from "../../../../test/machine/at-end.ts";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { Reports } from "../../kit/reports.ts";
import type { FormatName } from "./index.ts";

const api = await startApi();
const names = [
  '=HYPERLINK("http://x")',
  "<script>alert(1)</script>",
  "]]>&\u001b[31m",
  "\u00a0@x,\n-y",
  "Σίσυφος 中文",
];
for (const name of names) await api.must("PUT", "account/apikeys", { name });

const exported = async (format: FormatName, query = "resource_type=apikey", client: Client = api) => {
  const answer = await client.call("GET", `account/activity?export=${format}&${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer;
};
/** The oldest first. */
const namesIn = (entries: readonly { readonly resource: unknown }[]) =>
  entries.map(({ resource }) => (resource as Fields)["name"]).toReversed();

test("JSON contains the entries of the listing", async () => {
  const { body, headers } = await exported("json");
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="activity-\d{4}-\d\d-\d\d\.json"$/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(body["entries"]).toEqual(await api.must("GET", "account/activity?resource_type=apikey"));
  expect(body["note"]).toBeNull();
});

test("CSV contains nothing that a spreadsheet would execute", async () => {
  const { text, headers } = await exported("csv");
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const rows = parseCsv<{ resource: string }>(text, { columns: true });
  expect(namesIn(rows.map(({ resource }) => ({ resource: JSON.parse(resource) })))).toEqual(names);
  const key = await api.limited({}, { name: "=1+1" });
  await key.must("PUT", "account/apikeys", { name: "by it" });
  const [made] = parseCsv<Fields>((await exported("csv", "user=%3D1%2B1")).text, { columns: true });
  expect(made).toMatchObject({ user_name: "'=1+1", action: "create", address: "127.0.0.1" });
});

test("XML is well-formed, and markup in values is text", async () => {
  const { text } = await exported("xml", "resource_type=apikey&end=now");
  expect(XMLValidator.validate(text)).toBe(true);
  const { activity } = new XMLParser({ parseTagValue: false }).parse(text);
  const found = activity.entry.map(({ resource }: { resource: string }) => JSON.parse(resource));
  expect(namesIn(found.map((resource: unknown) => ({ resource }))).slice(0, 5)).toEqual(names);
});

test("HTML has no script, loads nothing, and shows names unchanged", async () => {
  const { text, headers } = await exported("html");
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  const nodes = nodesOf(parseHtml(text));
  const tags = new Set(nodes.map(({ nodeName }) => nodeName));
  expect(["script", "img", "a", "link", "iframe"].filter((tag) => tags.has(tag))).toEqual([]);
  const policy = nodes.flatMap((node) => ("attrs" in node ? node.attrs : [])).find(({ name }) => name === "content");
  expect(policy?.value).toMatch(/^default-src 'none'/);
  const words = nodes.flatMap((node) => ("value" in node ? node.value : []));
  expect(words).toContain("<script>alert(1)</script>");
});

type Node = DefaultTreeAdapterMap["node"];
const nodesOf = (node: Node): Node[] => [node, ...("childNodes" in node ? node.childNodes.flatMap(nodesOf) : [])];

test("filters and permissions apply to reports as to the listing", async () => {
  for (const zone of ["open.example", "closed.example"]) await api.must("PUT", `zones/${zone}`, { zone });
  const key = await api.limited({ dns: { zones_deny: ["closed.example"] } });
  const { body } = await exported("json", "resource_type=dns_zone", key);
  expect(body["entries"]).toMatchObject([{ resource: { zone: "open.example" } }]);
  expect((await exported("json", "resource_type=dns_zone&limit=1")).body).toMatchObject({
    entries: [{ resource: { zone: "closed.example" } }],
    note: null,
  });
  const blind = await api.limited({ account: { view_activity_log: false } });
  expect((await blind.call("GET", "account/activity?export=pdf")).status).toBe(403);
});

test("an unknown format is refused", async () => {
  const { status, body } = await api.call("GET", "account/activity?export=doc");
  expect([status, body["code"]]).toEqual([400, "invalid"]);
});

test("an account creates one report at a time, and can create another once the file is closed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-reports-"));
  atEnd(() => rmSync(directory, { recursive: true }));
  const reports = new Reports(directory);
  const made = Promise.withResolvers<void>();
  const slow = reports.write("a", async function* () {
    await made.promise;
    yield Buffer.from("x");
  });
  const none = async function* () {};
  await expect(reports.write("a", none)).rejects.toMatchObject({ status: 429, details: { retry_after: 5 } });
  await (await reports.write("b", none)).close();
  made.resolve();
  const files = [await slow];
  for (let n = 0; n < 3; n++) files.push(await reports.write("a", none));
  await expect(reports.write("a", none)).rejects.toMatchObject({ status: 503 });
  expect(readdirSync(join(directory, "reports"))).toEqual([]);
  await files[0]!.close();
  const failing = reports.write("a", async function* () {
    yield Buffer.from("x");
    throw new Error("gone");
  });
  await expect(failing).rejects.toThrow("gone");
  await (await reports.write("a", none)).close();
});

test("a report that is too large is refused, and leaves no file", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-reports-"));
  atEnd(() => rmSync(directory, { recursive: true }));
  const reports = new Reports(directory, 1024 * 1024);
  const write = (pieces: number) =>
    reports.write("a", async function* () {
      for (let n = 0; n < pieces; n++) yield Buffer.alloc(1024);
    });
  await expect(write(1025)).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("exceed 1 MB"),
  });
  const made = await write(1024);
  expect(made.octets).toBe(1024 * 1024);
  await made.close();
  expect(readdirSync(join(directory, "reports"))).toEqual([]);
});
