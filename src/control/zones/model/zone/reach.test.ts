/** Record rules cannot be bypassed by taking a zone's records from another server or zone. */
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../../../test/service/api.ts";

const api = await startApi();
const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: 1 };
await api.must("PUT", "zones/target.test", {});

const refusalOf = (zone: string) => [
  403,
  `The records of ${zone} would come from another server or zone, which requires manage_zones without records_allow or records_deny in that zone`,
];

/** Calls of a key that may change everything except one host, which does not exist. */
async function restricted(zone: string) {
  const limited = await api.limited({ dns: { records_deny: [{ zone, domain: `host.${zone}` }] } });
  return async (method: string, path: string, body?: Fields) => {
    const reply = await limited.call(method, path, body);
    return [reply.status, reply.body["message"]];
  };
}

test("a key denied one record cannot make the zone secondary or linked", async () => {
  const zone = "made.test";
  const call = await restricted(zone);
  expect(await call("PUT", `zones/${zone}`, { secondary })).toEqual(refusalOf(zone));
  expect(await call("PUT", `zones/${zone}`, { link: "target.test" })).toEqual(refusalOf(zone));
  expect((await call("PUT", `zones/${zone}`, {}))[0]).toBe(200);
  expect(await call("POST", `zones/${zone}`, { secondary })).toEqual(refusalOf(zone));
  const [status, message] = await call("PUT", "changesets", { zones: [{ action: "update", zone, secondary }] });
  expect([status, message]).toEqual([403, `zones[0] ${zone}: ${refusalOf(zone)[1]}`]);
  expect((await call("POST", `zones/${zone}`, { ttl: 60, secondary: null }))[0]).toBe(200);
});

test("a key denied one record cannot change the zone's primary", async () => {
  const zone = "moved.test";
  const call = await restricted(zone);
  await api.must("PUT", `zones/${zone}`, { secondary });
  for (const other of [
    { primary_port: 2 },
    { other_ips: ["127.0.0.2"] },
    { tls: { enabled: true, profile: "opportunistic" } },
  ]) {
    expect(await call("POST", `zones/${zone}`, { secondary: other })).toEqual(refusalOf(zone));
  }
  expect((await call("POST", `zones/${zone}`, { secondary, tags: { a: "b" } }))[0]).toBe(200);
});

test.each([["secondary", { secondary }] as const, ["linked", { link: "target.test" }] as const])(
  "a key denied one record cannot bring back a %s zone",
  async (name, body) => {
    const zone = `${name}.test`;
    const call = await restricted(zone);
    await api.must("PUT", `zones/${zone}`, body);
    await api.must("DELETE", `zones/${zone}`);
    expect(await call("POST", `deletedzones/${zone}/undelete`)).toEqual(refusalOf(zone));
    await api.must("POST", `deletedzones/${zone}/undelete`);
  },
);

test("rules about other zones have no effect", async () => {
  const call = await restricted("other.test");
  expect((await call("PUT", "zones/mine.test", { secondary }))[0]).toBe(200);
  expect((await call("PUT", "zones/linked.mine.test", { link: "target.test" }))[0]).toBe(200);
});
