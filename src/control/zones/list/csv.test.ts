/** The list of zones as a file for spreadsheets. */
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";

const api = await startApi({ egressAllow: ["127.0.0.0/8"] });
const tags = { '=HYPERLINK("http://x")': "@x,\n-y", plain: null };
await api.must("PUT", "zones/alpha.example", { tags });
await api.must("PUT", "zones/xn--bcher-kva.example", { disabled: true });
await api.must("PUT", "zones/linked.example", { link: "alpha.example" });
await api.must("PUT", "zones/second.example", {
  secondary: { enabled: true, primary_ip: "127.0.0.1", primary_port: 1 },
});
await (await api.stranger()).must("PUT", "zones/stranger.example", {});

async function exported(query: string, client: Client = api) {
  const { status, text, headers } = await client.call("GET", `zones?export=csv${query}`);
  expect(status, text).toBe(200);
  return { rows: parse<Record<string, string>>(text, { columns: true }), text, headers };
}

test("a file has all zones that match, with what the list says of them", async () => {
  const { rows, headers } = await exported("&limit=1");
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="zones-\d{4}-\d\d-\d\d\.csv"$/);
  const list = await api.must<readonly Fields[]>("GET", "zones");
  const common = ({ zone, id, serial }: Fields) => ({ zone, id, serial: String(serial) });
  expect(rows.map(common)).toEqual(list.map(common));
  expect(rows.map(({ unicode, kind, status, link }) => [unicode, kind, status, link])).toEqual([
    ["alpha.example", "primary", "enabled", ""],
    ["linked.example", "linked", "enabled", "alpha.example"],
    ["second.example", "secondary", "enabled", ""],
    ["b\u00fccher.example", "primary", "disabled", ""],
  ]);
  expect(rows[0]).toMatchObject({ networks: "0", dns_servers: "dns1.example.net dns2.example.net", ttl: "3600" });
  expect(JSON.parse(rows[0]!["tags"]!)).toEqual(tags);
});

test("filters and orders apply", async () => {
  const { rows } = await exported("&kind=primary&sort=name&order=desc");
  expect(rows.map(({ zone }) => zone)).toEqual(["xn--bcher-kva.example", "alpha.example"]);
});

test("no field begins a formula", async () => {
  const { rows, text } = await exported("&q=alpha");
  for (const value of Object.values(rows[0]!)) expect(value).not.toMatch(/^[=+\-@]/);
  expect(text.split("\r\n")).toHaveLength(3);
});

test("a key gets the zones that it may see, and the format must be known", async () => {
  const key = await api.limited({ dns: { view_zones: true, zones_deny: ["alpha.example", "second.example"] } });
  const { rows } = await exported("", key);
  expect(rows.map(({ zone }) => zone)).toEqual(["linked.example", "xn--bcher-kva.example"]);
  const { status, body } = await api.call("GET", "zones?export=doc");
  expect([status, body["message"]]).toEqual([400, expect.stringContaining('query parameter "export"')]);
});
