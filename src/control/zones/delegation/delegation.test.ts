/** The delegation of zones at their parent; one server plays resolver and parent. */
import { expect, test } from "vitest";
import { answering, type Sections } from "../../../../test/network/answering.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { publicNames } from "../../../net/client/public-names.ts";

const [A, NS] = [1, 2];
const parent: Record<string, Sections> = {};
const parentPort = await answering(parent);
const resolver: Record<string, Sections> = {
  [`example. ${NS}`]: { answer: ["example. 300 NS a.example."] },
  [`a.example. ${A}`]: { answer: ["a.example. 300 A 127.0.0.1"] },
  [`com. ${NS}`]: { answer: ["com. 300 NS a.example."] },
};
const resolverPort = await answering(resolver);
const api = await startApi({
  publicNames: publicNames([`127.0.0.1:${resolverPort}`], parentPort),
  egressAllow: ["127.0.0.0/8"],
});
const servers = ["dns1.example.net", "dns2.example.net"];

/** Lets the parent delegate a zone. */
function delegate(zone: string, names: readonly string[], glue: readonly string[] = []) {
  parent[`${zone}. ${NS}`] = { authority: names.map((name) => `${zone}. 300 NS ${name}.`), additional: glue };
}
const look = (zone: string) => api.must("POST", `zones/${zone}/delegation`);
const made = async (zone: string, fields: Fields = {}) => await api.must("PUT", `zones/${zone}`, fields);
const plain = (names: readonly string[]) => names.map((name) => ({ name, addresses: [] }));

test("a zone that the parent delegates to its name servers is delegated", async () => {
  await made("good.example");
  delegate("good.example", ["DNS2.example.net", "dns1.example.net"]);
  expect(await api.must("GET", "zones/good.example/delegation")).toEqual({
    ...{ zone: "good.example", state: "unknown", reason: "the zone has not been looked at yet" },
    ...{ looked_at: null, asked: null, found: [], expected: plain(servers) },
  });
  const found = await look("good.example");
  expect(found).toEqual({
    ...{ zone: "good.example", state: "delegated", reason: null, looked_at: expect.any(Number), asked: "parent" },
    ...{ found: plain(servers), expected: plain(servers) },
  });
  expect(await api.must("GET", "zones/good.example/delegation")).toEqual(found);
});

test("other servers at the parent are named", async () => {
  for (const zone of ["some.example", "more.example", "else.example", "none.example"]) await made(zone);
  delegate("some.example", ["dns1.example.net"]);
  delegate("more.example", [...servers, "old.example.org"]);
  delegate("else.example", ["ns1.example.org", "ns2.example.org"]);
  const states = await Promise.all(["some", "more"].map((name) => look(`${name}.example`)));
  states.push(...(await Promise.all(["else", "none"].map((name) => look(`${name}.example`)))));
  expect(states.map(({ state, reason }) => [state, reason])).toEqual([
    ["partly", "some.example is not delegated to dns2.example.net"],
    ["partly", "more.example is also delegated to old.example.org"],
    ["elsewhere", "else.example is delegated to ns1.example.org, ns2.example.org"],
    ["not_delegated", "the parent does not delegate none.example"],
  ]);
});

test("name servers in the zone need glue with their addresses here, also those of a linked zone", async () => {
  await made("glue.example");
  await made("linked.example", { link: "glue.example" });
  const names = ["ns1.glue.example", "ns.example.org"];
  const put = (name: string, type: string, ...values: string[]) =>
    api.must("PUT", `zones/glue.example/${name}/${type}`, { answers: values.map((value) => ({ answer: [value] })) });
  await api.must("POST", "zones/glue.example/glue.example/NS", {
    answers: names.map((name) => ({ answer: [`${name}.`] })),
  });
  await put("ns1.glue.example", "A", "192.0.2.1");
  await put("ns1.glue.example", "AAAA", "2001:db8:0::1");
  const addresses = ["192.0.2.1", "2001:db8::1"];
  delegate("glue.example", names);
  const lacking = await look("glue.example");
  expect(lacking).toMatchObject({
    ...{ state: "partly", reason: "the parent has no glue for ns1.glue.example" },
    expected: [
      { name: "ns.example.org", addresses: [] },
      { name: "ns1.glue.example", addresses },
    ],
  });
  delegate("glue.example", names, ["ns1.glue.example. 300 A 192.0.2.9"]);
  expect((await look("glue.example"))["reason"]).toBe(
    "the parent's glue for ns1.glue.example is 192.0.2.9; here it has 192.0.2.1, 2001:db8::1",
  );
  delegate("glue.example", names, ["ns1.glue.example. 300 AAAA 2001:db8::1", "ns1.glue.example. 300 A 192.0.2.1"]);
  expect((await look("glue.example"))["state"]).toBe("delegated");
  delegate("linked.example", names);
  expect((await look("linked.example"))["state"]).toBe("delegated");
});

test("a parent that cannot be asked leaves the view of the resolver", async () => {
  await made("seen.other.example");
  resolver[`other.example. ${NS}`] = { answer: ["other.example. 300 NS inner.example."] };
  // not an address that accounts may reach
  resolver[`inner.example. ${A}`] = { answer: ["inner.example. 300 A 10.0.0.1"] };
  resolver[`seen.other.example. ${NS}`] = { answer: servers.map((name) => `seen.other.example. 300 NS ${name}.`) };
  expect(await look("seen.other.example")).toMatchObject({ state: "delegated", asked: "resolver" });
});

test("a change of the NS record counts at once, and the list follows at the next look", async () => {
  await made("moved.example");
  delegate("moved.example", servers);
  await look("moved.example");
  const due = async () => {
    const rows = api.store.db.selectFrom("zone_delegation").innerJoin("zone", "zone.id", "zone_delegation.zone_id");
    return (await rows.select("due_at").where("zone", "=", "moved.example").executeTakeFirstOrThrow()).due_at;
  };
  const later = await due();
  await api.must("POST", "zones/moved.example/moved.example/NS", { answers: [{ answer: ["dns1.example.net."] }] });
  expect(await due()).toBeLessThan(later - 3600);
  expect((await api.must("GET", "zones/moved.example/delegation"))["state"]).toBe("partly");
  expect((await look("moved.example"))["state"]).toBe("partly");
});

test("the list has the state if it is asked for, and finds zones by it", async () => {
  for (const zone of ["one.list.example", "two.list.example"]) await made(zone);
  delegate("one.list.example", servers);
  await look("one.list.example");
  const list = (query: string) => api.must<readonly Fields[]>("GET", `zones?q=list.example&${query}`);
  expect((await list("")).every((zone) => !("delegation" in zone))).toBe(true);
  expect((await list("fields=delegation")).map(({ delegation }) => delegation)).toEqual([
    { state: "delegated", looked_at: expect.any(Number) },
    { state: "unknown", looked_at: null },
  ]);
  const names = async (query: string) => (await list(query)).map(({ zone }) => zone);
  expect(await names("delegation=delegated")).toEqual(["one.list.example"]);
  expect(await names("delegation=unknown")).toEqual(["two.list.example"]);
  expect(await names("delegation=partly")).toEqual([]);
  const { text } = await api.call("GET", "zones?q=list.example&fields=delegation&export=csv");
  const [head, ...lines] = text.trim().split("\r\n");
  expect(head).toMatch(/,delegation,looked at \(UTC\)$/);
  expect(lines.map((line) => line.split(",").slice(-2))).toEqual([
    ["delegated", expect.stringMatching(/^\d{4}-/)],
    ["unknown", ""],
  ]);
});

test("a deleted zone leaves nothing, and one that is brought back is looked at again", async () => {
  const { id } = await made("gone.example");
  const rows = async () =>
    (await api.store.db.selectFrom("zone_delegation").selectAll().where("zone_id", "=", String(id)).execute()).length;
  expect(await rows()).toBe(1);
  await api.must("DELETE", "zones/gone.example");
  expect(await rows()).toBe(0);
  await api.must("POST", "deletedzones/gone.example/undelete");
  expect(await rows()).toBe(1);
});

test("without a resolver the state is unknown, and the message says why", async () => {
  const blind = await startApi();
  await blind.must("PUT", "zones/blind.example", {});
  const kept = await blind.must("GET", "zones/blind.example/delegation");
  expect(kept).toMatchObject({
    state: "unknown",
    reason: expect.stringContaining("has no resolver"),
    expected: plain(servers),
  });
  const { status, body } = await blind.call("POST", "zones/blind.example/delegation");
  expect([status, body["code"], body["message"]]).toEqual([
    400,
    "conflict",
    expect.stringContaining("has no resolver"),
  ]);
});
