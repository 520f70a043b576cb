/** The demo: a zone with steered records in the caller's account. */
import { expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";

const api = await startApi();
interface Demo {
  readonly zone: string;
  readonly source: string;
  readonly feeds: Readonly<Record<string, string>>;
  readonly records: readonly { readonly domain: string; readonly type: string }[];
}
const make = (client: Client, body: Fields = {}) => client.must<Demo & Fields>("PUT", "demo", body);
const answerIn = async (name: string, country: string, client: Client = api) =>
  (await client.must<{ answer: string[] }>("POST", "explain", { name, type: "A", location: { country } })).answer[0]
    ?.split(" ")
    .at(-1);

test("its first record is steered at once, by place and by feed", async () => {
  const { zone, source, feeds, records } = await make(api);
  expect(zone).toBe("demo.example");
  const { domain } = records[0]!;
  expect(domain).toBe("www.demo.example");
  const ask = async () => [await answerIn(domain, "DE"), await answerIn(domain, "US")];
  expect(await ask()).toEqual(["203.0.113.51", "203.0.113.52"]);
  await api.must("POST", `feed/${source}`, { east: { up: false } });
  expect(await ask()).toEqual(["203.0.113.52", "203.0.113.52"]);
  await api.must("POST", `feed/${feeds["east"]}`, { up: true });
  expect(await ask()).toEqual(["203.0.113.51", "203.0.113.52"]);
  expect(await api.must("GET", `zones/${zone}/lint`)).toMatchObject({ complete: true, warnings: [] });
  const [version] = await api.must<Fields[]>("GET", `zones/${zone}/versions`);
  expect(version).toMatchObject({ action: "dns_zone demo" });
});

test("a caller chooses the name, and gets one demo for each", async () => {
  expect((await make(api, { zone: "Try.Example.net." })).zone).toBe("try.example.net");
  const again = await api.call("PUT", "demo", { zone: "try.example.net" });
  expect([again.status, again.body["message"]]).toEqual([400, "zone already exists"]);
  const stranger = await api.stranger();
  expect((await stranger.call("PUT", "demo", { zone: "try.example.net" })).status).toBe(400);
  await make(stranger, { zone: "tried.example" });
  expect(await answerIn("www.tried.example", "DE", stranger)).toBe("203.0.113.51");
});

test("a refused demo leaves nothing behind", async () => {
  const sources = async () => (await api.must<Fields[]>("GET", "data/sources")).length;
  const before = await sources();
  expect((await api.call("PUT", "demo", { zone: "com" })).status).toBe(400);
  expect(await sources()).toBe(before);
});

test("a caller needs the rights to everything that it makes", async () => {
  const all = { dns: { manage_zones: true }, data: { manage_datasources: true, manage_datafeeds: true } };
  for (const permissions of [
    { ...all, dns: { manage_zones: false } },
    { ...all, dns: { manage_zones: true, zones_deny: ["no.example"] } },
    { ...all, data: { ...all.data, manage_datasources: false } },
    { ...all, data: { ...all.data, manage_datafeeds: false } },
  ]) {
    const key = await api.limited(permissions);
    expect((await key.call("PUT", "demo", { zone: "no.example" })).status).toBe(403);
  }
  const key = await api.limited(all);
  expect((await key.call("PUT", "demo", { zone: "yes.example" })).status).toBe(200);
});
