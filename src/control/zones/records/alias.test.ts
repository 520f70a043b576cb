/** The targets that an ALIAS may have, and what a refusal tells of other accounts and closed zones. */
import { describe, expect, test } from "vitest";
import { type Client, startApi } from "../../../../test/service/api.ts";
import { rr } from "../../../../test/service/records.ts";

const api = await startApi();
const other = await api.stranger();
for (const zone of ["own.example", "closed.example"]) await api.must("PUT", `zones/${zone}`, {});
await other.must("PUT", "zones/served.example", {});
await other.must("PUT", "zones/unserved.example", { networks: [] });
await other.must("PUT", "zones/disabled.example", { disabled: true });

let count = 0;
const write = (target: string, client: Client = api) =>
  client.call("PUT", `zones/own.example/a${++count}.own.example/ALIAS`, { answers: [rr(target)] });
/** The refusal without the names in it. */
const refusal = async (target: string, client?: Client) => {
  const { status, text } = await write(target, client);
  return `${status} ${text.replaceAll(target, "TARGET")}`;
};

test("a target may be in any zone of the account, and in served zones of others", async () => {
  await api.must("PUT", "zones/private.example", { networks: [] });
  for (const zone of ["own.example", "private.example", "served.example"]) {
    expect((await write(`www.${zone}`)).status).toBe(200);
  }
});

test("a zone of another account that is not served is like none", async () => {
  const none = await refusal("www.nothing.example");
  expect(none).toMatch(/^400 .*not built yet/);
  for (const zone of ["unserved.example", "disabled.example"]) expect(await refusal(`www.${zone}`)).toBe(none);
});

describe("a key that may not read the target", () => {
  const toOne = { zones_allow_by_default: false, zones_allow: ["own.example"] };

  test("cannot write an ALIAS to it, and does not learn whether it exists", async () => {
    const key = await api.limited({ dns: { view_zones: true, manage_zones: true, ...toOne } });
    expect(await refusal("www.closed.example", key)).toMatch(/^403 .*record TARGET A/);
    expect(await refusal("www.nothing.example", key)).toBe(await refusal("www.closed.example", key));
    expect((await write("www.own.example", key)).status).toBe(200);
    expect((await write("www.served.example", key)).status).toBe(200);
  });

  test("is known by its rules for records, for both types of addresses", async () => {
    for (const type of ["A", "AAAA", undefined]) {
      const closed = { zone: "own.example", domain: "secret.own.example", ...(type ? { type } : {}) };
      const key = await api.limited({ dns: { view_zones: true, manage_zones: true, records_deny: [closed] } });
      expect((await write("secret.own.example", key)).status).toBe(403);
      expect((await write("open.own.example", key)).status).toBe(200);
    }
  });

  test("may change other fields of an ALIAS that another key wrote, but not its target", async () => {
    const key = await api.limited({ dns: { view_zones: true, manage_zones: true, ...toOne } });
    const path = "zones/own.example/kept.own.example/ALIAS";
    await api.must("PUT", path, { answers: [rr("www.closed.example")] });
    expect(await key.must("POST", path, { ttl: 17, answers: [rr("www.closed.example")] })).toMatchObject({ ttl: 17 });
    expect((await key.call("POST", path, { answers: [rr("web.closed.example")] })).status).toBe(403);
    const put = [{ domain: "bulk.own.example", type: "ALIAS", answers: [rr("www.closed.example")] }];
    expect((await key.call("POST", "zones/own.example/records", { put })).status).toBe(403);
  });

  test("brings back no ALIAS or link to it from an earlier version, and none with a deleted zone", async () => {
    for (const [type, fields] of [
      ["ALIAS", { answers: [rr("www.closed.example")] }],
      ["A", { link: "www.closed.example" }],
    ] as const) {
      const zone = `back-${type.toLowerCase()}.example`;
      const key = await api.limited({
        dns: { view_zones: true, manage_zones: true, zones_allow_by_default: false, zones_allow: [zone] },
      });
      const [path, record] = [`zones/${zone}`, `zones/${zone}/x.${zone}/${type}`];
      await api.must("PUT", path, {});
      await api.must("PUT", record, fields);
      const { id: version } = await api.must<{ id: number }>("PUT", `${path}/versions`);
      await api.must("DELETE", record);
      const refused = async (method: string, at: string, body?: object) => {
        const { status, text } = await key.call(method, at, body);
        expect([status, text]).toEqual([403, expect.stringContaining("record www.closed.example A")]);
      };
      await refused("POST", `${record}/restore`, { version });
      await refused("POST", `${path}/versions/${version}/activate`);
      await api.must("POST", `${record}/restore`, { version });
      await key.must("DELETE", path);
      await refused("POST", `deletedzones/${zone}/undelete`);
      await api.must("POST", `deletedzones/${zone}/undelete`);
    }
  });

  test("brings back an ALIAS whose target is in no zone any more", async () => {
    await api.must("PUT", "zones/gone.example", {});
    await api.must("PUT", "zones/keeps.example", {});
    await api.must("PUT", "zones/keeps.example/x.keeps.example/ALIAS", { answers: [rr("www.gone.example")] });
    await api.must("DELETE", "zones/gone.example");
    await api.must("DELETE", "zones/keeps.example");
    await api.must("POST", "deletedzones/keeps.example/undelete");
  });

  test("writes an ALIAS to names that it may change", async () => {
    const key = await api.limited({ dns: { view_zones: false, manage_zones: true } });
    expect((await write("www.own.example", key)).status).toBe(200);
  });
});
