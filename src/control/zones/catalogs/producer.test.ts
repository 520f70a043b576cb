/** Catalogs produced here: their entries follow from their members, and no other writes change them. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../../test/service/api.ts";

const api = await startApi();
const primary = { enabled: true, secondaries: [{ ip: "192.0.2.53" }] };
const member = (of: string, rest: Fields = {}) => ({ primary, catalog: { role: "member", of, ...rest } });

/** The records of a catalog as text, sorted. */
async function listed(catalog: string): Promise<string[]> {
  const { records } = await api.must<{ records: Fields[] }>("GET", `zones/${catalog}`);
  return records.map(({ domain, type, short_answers }) => `${domain} ${type} ${short_answers}`).sort();
}

let count = 0;
async function catalog() {
  const of = `catalog${++count}.invalid`;
  await api.must("PUT", `zones/${of}`, { primary, catalog: { role: "producer" } });
  const bare = [`${of} NS invalid`, `version.${of} TXT 2`];
  return { of, bare };
}

test("a new catalog has its version and an invalid name server", async () => {
  const { of, bare } = await catalog();
  expect(await listed(of)).toEqual(bare);
  expect(await api.must("GET", `zones/${of}`)).toMatchObject({ catalog: { role: "producer" } });
});

test("a member keeps its id when it changes and when it is brought back, and gets a new one when it is created again", async () => {
  const { of, bare } = await catalog();
  const zone = "member.example";
  const { id, catalog: role } = await api.must("PUT", `zones/${zone}`, member(of, { groups: ["a", "b c"] }));
  expect(role).toEqual({ role: "member", of, node: id, groups: ["a", "b c"], coo: null });
  const at = `${id}.zones.${of}`;
  const ptr = `${at} PTR ${zone}`;
  expect(await listed(of)).toEqual([...bare, ptr, `group.${at} TXT a,b c`].sort());
  await api.must("POST", `zones/${zone}`, { catalog: { role: "member", coo: "other.invalid", groups: null } });
  expect(await listed(of)).toEqual([...bare, ptr, `coo.${at} PTR other.invalid`].sort());
  await api.must("DELETE", `zones/${zone}`);
  expect(await listed(of)).toEqual(bare);
  await api.must("POST", `deletedzones/${zone}/undelete`);
  expect(await listed(of)).toContain(ptr);
  await api.must("POST", `zones/${zone}`, { catalog: null });
  expect(await listed(of)).toEqual(bare);
  await api.must("DELETE", `zones/${zone}`);
  const again = await api.must("PUT", `zones/${zone}`, member(of));
  expect(await listed(of)).toEqual([...bare, `${again["id"]}.zones.${of} PTR ${zone}`].sort());
  expect(again["id"]).not.toBe(id);
});

test("a member moves from one catalog to another in one change", async () => {
  const [from, to] = [await catalog(), await catalog()];
  const zone = "moving.example";
  const { id } = await api.must("PUT", `zones/${zone}`, member(from.of));
  const moved = await api.call("POST", `zones/${zone}`, member(to.of));
  expect(moved.body).toMatchObject({ catalog: { of: to.of } });
  expect(Object.keys((await api.numbered(moved)).serials)).toHaveLength(3);
  expect(await listed(from.of)).toEqual(from.bare);
  expect(await listed(to.of)).toContain(`${id}.zones.${to.of} PTR ${zone}`);
});

test("a zone sent back as it was read changes nothing", async () => {
  const { of } = await catalog();
  const zone = await api.must("PUT", "zones/same.example", member(of, { groups: ["a"] }));
  for (const { body, path } of [
    { body: zone, path: "same.example" },
    { body: await api.must("GET", `zones/${of}`), path: of },
  ]) {
    const reply = await api.call("POST", `zones/${path}`, body);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-fairlead-change")).toBeNull();
  }
});

test("a zone is brought back unlisted by a caller who may not change its catalog", async () => {
  const { of, bare } = await catalog();
  await api.must("PUT", "zones/own.example", member(of));
  const limited = await api.limited({
    dns: { view_zones: true, manage_zones: true, zones_allow_by_default: false, zones_allow: ["own.example"] },
  });
  await limited.must("DELETE", "zones/own.example");
  await limited.must("POST", "deletedzones/own.example/undelete");
  expect(await api.must("GET", "zones/own.example")).toMatchObject({ catalog: null });
  expect(await listed(of)).toEqual(bare);
});

test("a catalog can be deleted once it has no members, and brought back", async () => {
  const { of, bare } = await catalog();
  await api.must("PUT", "zones/last.example", member(of));
  const refused = await api.call("DELETE", `zones/${of}`);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("last.example")]);
  await api.must("DELETE", "zones/last.example");
  await api.must("DELETE", `zones/${of}`);
  await api.must("POST", "deletedzones/last.example/undelete");
  expect(await api.must("GET", "zones/last.example")).toMatchObject({ catalog: null });
  await api.must("POST", `deletedzones/${of}/undelete`);
  expect(await listed(of)).toEqual(bare);
});

describe("refused", () => {
  const cases: readonly [string, string, Fields, string][] = [
    ["an unknown role", "PUT", { catalog: { role: "owner" } }, "catalog.role"],
    ["a role that is not text", "PUT", { catalog: { role: { toString: 1 } } }, "catalog.role: must be text"],
    ["a member without a catalog", "PUT", { primary, catalog: { role: "member" } }, "catalog.of"],
    [
      "a member of a zone that is not a catalog",
      "PUT",
      member("plain.example"),
      "there is no catalog zone plain.example",
    ],
    ["a member that cannot be transferred", "PUT", { catalog: { role: "member", of: "c.invalid" } }, "primary.enabled"],
    ["a member of itself", "PUT", member("refused.example"), "there is no catalog zone refused.example"],
    ["groups with quotes", "PUT", member("c.invalid", { groups: ['"'] }), "catalog.groups"],
    ["a new owner that is not a name", "PUT", member("c.invalid", { coo: "a..b" }), "catalog.coo"],
    ["a consumer without a primary", "PUT", { catalog: { role: "consumer" } }, "requires secondary"],
    [
      "the role consumed, which only catalogs give",
      "PUT",
      { catalog: { role: "consumed", of: "c.invalid" } },
      "catalog.role",
    ],
    [
      "an existing zone that becomes a producer",
      "POST",
      { catalog: { role: "producer" } },
      "only be set when the zone is created",
    ],
    ["a producer that is secondary", "PUT", secondaryProducer(), "cannot be secondary"],
  ];

  test.each(cases)("%s", async (_, method, body, reason) => {
    await api.call("PUT", "zones/plain.example", {});
    const zone = method === "POST" ? "plain.example" : "refused.example";
    const { status, text } = await api.call(method, `zones/${zone}`, body);
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });

  test("changes of a catalog's records, versions or role", async () => {
    const { of } = await catalog();
    const { serial } = await api.must("GET", `zones/${of}`);
    for (const [method, path, body] of [
      ["PUT", `zones/${of}/www.${of}/A`, { answers: [{ answer: ["192.0.2.1"] }] }],
      ["DELETE", `zones/${of}/version.${of}/TXT`, undefined],
      ["POST", `zones/${of}/versions/${serial}/restore`, {}],
      ["POST", `zones/${of}`, { catalog: null }],
      ["POST", `zones/${of}`, { catalog: { role: "consumer" } }],
    ] as const) {
      const { status, text } = await api.call(method, path, body);
      expect([method, path, status, text]).toEqual([method, path, 400, expect.stringContaining("catalog")]);
    }
  });

  test("a member of a catalog that the key may not change", async () => {
    const { of } = await catalog();
    const limited = await api.limited({ dns: { view_zones: true, manage_zones: true, zones_deny: [of] } });
    const { status, text } = await limited.call("PUT", "zones/foreign.example", member(of));
    expect([status, text]).toEqual([403, expect.stringContaining(of)]);
  });
});

function secondaryProducer(): Fields {
  return { secondary: { enabled: true, primary_ip: "192.0.2.1" }, catalog: { role: "producer" } };
}
