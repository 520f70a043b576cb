/** Names and zones whose data make the engine fail, as reported to the edge's main thread. */
import { expect, test } from "vitest";
import { baselineOf, changeSet, recordState, summary, zoneState } from "../../../test/engine/states.ts";
import { silent } from "../../../test/store/store.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { trailWords } from "../../answer/lookup/lookup.ts";
import { composeQuery } from "../../dns/reply.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { createServe } from "../serve/serve.ts";
import { EdgeState } from "./state.ts";

const zone = zoneState("one.example");
const other = zoneState("two.example");
const record = (label: string, address: string, of = zone) => recordState(of, `${label}.${of.zone}`, "A", [address]);
const put = (label: string, address: string, of = zone) =>
  ({ kind: "record", record: record(label, address, of) }) as const;

async function started() {
  const state = new EdgeState({ log: silent, onImage: () => {}, onGrow: () => {} });
  await state.start(baselineOf([zone, other], [record("www", "192.0.2.1"), record("www", "192.0.2.9", other)]));
  const trail = new Int32Array(trailWords);
  let octets = "";
  const ask = (domain: string) => {
    const reader = new ImageReader(state.share()!, 0);
    const serve = createServe(reader, { trail });
    const query = composeQuery(nameFromApi(domain), 1, 1232);
    const out = new Uint8Array(1232);
    reader.enter();
    const client = { family: 4, address: new Uint8Array(4), port: 1 } as const;
    const length = serve(query, 0, query.length, client, "tcp", out, 0, out.length);
    reader.leave();
    octets = Buffer.from(out.subarray(0, length)).toString("hex");
    return summary(out.subarray(0, length));
  };
  /** Reports what a worker reports when the data of this name fail. */
  const fail = (domain: string) => {
    const former = state.image()!.former({ zone_id: zone.id, domain, type: "A" })!;
    state.fault({ data: former.data, name: former.name, how: "throws" });
  };
  return { state, ask, fail, reply: () => octets };
}

test("only the failing name is reverted to its state before the last change, until it changes again", async () => {
  const { state, ask, fail } = await started();
  state.apply([changeSet(2, [put("www", "192.0.2.2"), put("mail", "192.0.2.5")], { [zone.id]: 2 })]);
  expect(ask("www.one.example")).toBe("NOERROR 192.0.2.2");
  fail("www.one.example");
  expect(ask("www.one.example")).toBe("NOERROR 192.0.2.1");
  expect(ask("mail.one.example")).toBe("NOERROR 192.0.2.5");
  expect(state.quarantine.status()).toEqual({ names: ["www.one.example"], zones: [] });
  state.apply([changeSet(3, [put("www", "192.0.2.3")], { [zone.id]: 3 })]);
  expect(ask("www.one.example")).toBe("NOERROR 192.0.2.3");
  expect(state.quarantine.list()).toEqual([]);
});

test("a removed record returns when its name fails without it", async () => {
  const { state, ask } = await started();
  const { data, name } = state.image()!.former({ zone_id: zone.id, domain: "www.one.example", type: "A" })!;
  const removal = { kind: "record_removed", zone_id: zone.id, domain: "www.one.example", type: "A" } as const;
  state.apply([changeSet(2, [removal], { [zone.id]: 2 })]);
  expect(ask("www.one.example")).toBe("NXDOMAIN");
  state.fault({ data, name, how: "spins" });
  expect(ask("www.one.example")).toBe("NOERROR 192.0.2.1");
});

test("a zone without a change to revert is shut after two faults, until it changes", async () => {
  const { state, ask, fail, reply } = await started();
  fail("www.one.example");
  expect(ask("www.one.example")).toBe("NOERROR 192.0.2.1");
  fail("www.one.example");
  expect(ask("www.one.example")).toBe("SERVFAIL");
  expect(ask("nothing.one.example")).toBe("SERVFAIL");
  // an extended error of 2 octets (RFC 8914): Not Ready
  expect(reply()).toContain("000f0002000e");
  expect(ask("www.two.example")).toBe("NOERROR 192.0.2.9");
  expect(state.quarantine.status()).toEqual({ names: [], zones: ["one.example"] });
  state.apply([changeSet(2, [put("new", "192.0.2.4", other)], { [other.id]: 2 })]);
  expect(ask("www.one.example")).toBe("SERVFAIL");
  state.apply([changeSet(3, [put("new", "192.0.2.4")], { [zone.id]: 3 })]);
  expect(ask("www.one.example")).toBe("NOERROR 192.0.2.1");
  expect(state.quarantine.list()).toEqual([]);
});

test("a zone that is disabled while it is shut, and enabled again, is answered as stored", async () => {
  const { state, ask, fail } = await started();
  for (let n = 0; n < 2; n++) fail("www.one.example");
  const asZone = (disabled: boolean) => ({ kind: "zone", zone: { ...zone, disabled } }) as const;
  state.apply([changeSet(2, [asZone(true)], { [zone.id]: 2 })]);
  expect(ask("www.one.example")).toBe("REFUSED");
  state.apply([changeSet(3, [asZone(false)], { [zone.id]: 3 })]);
  expect(ask("www.one.example")).toBe("NOERROR 192.0.2.1");
});

test("faults in removed zones and at invalid addresses in memory are ignored", async () => {
  const { state } = await started();
  const { data, name } = state.image()!.former({ zone_id: zone.id, domain: "www.one.example", type: "A" })!;
  state.apply([changeSet(2, [{ kind: "zone_removed", zone_id: zone.id }], { [zone.id]: 2 })]);
  for (const at of [data, data, name, 0, -1]) state.fault({ data: at, name, how: "throws" });
  expect(state.quarantine.list()).toEqual([]);
});

test("a name whose last change only added a record is not reverted to an earlier change", async () => {
  const { state, ask, fail } = await started();
  state.apply([changeSet(2, [put("www", "192.0.2.2")], { [zone.id]: 2 })]);
  const text = recordState(zone, "www.one.example", "TXT", ["new"]);
  state.apply([changeSet(3, [{ kind: "record", record: text }], { [zone.id]: 3 })]);
  fail("www.one.example");
  expect(ask("www.one.example")).toBe("NOERROR 192.0.2.2");
  expect(state.quarantine.status().names).toEqual([]);
});

test("data of a removed zone are not restored into a zone that reuses its memory", async () => {
  const { state, ask } = await started();
  state.apply([changeSet(2, [put("www", "192.0.2.2")], { [zone.id]: 2 })]);
  const { data } = state.image()!.former({ zone_id: zone.id, domain: "www.one.example", type: "A" })!;
  state.apply([changeSet(3, [{ kind: "zone_removed", zone_id: zone.id }], {})]);
  const placed = { data: 0, name: 0 };
  let domain = "";
  for (let n = 0; placed.data !== data; n++) {
    expect(n).toBeLessThan(100);
    while (state.image()!.tidy(1000));
    const next = zoneState(`n${n}.example`);
    domain = `www.${next.zone}`;
    const changes = [{ kind: "zone", zone: next } as const, put("www", "192.0.2.7", next)];
    state.apply([changeSet(4 + n, changes, { [next.id]: 1 })]);
    Object.assign(placed, state.image()!.handleOf({ zone_id: next.id, domain }));
  }
  state.fault({ ...placed, how: "throws" });
  expect(ask(domain)).toBe("NOERROR 192.0.2.7");
  expect([state.refused, state.quarantine.list()]).toEqual([0, []]);
});

test("the removal of a zone removes it from the quarantine", async () => {
  const { state, fail } = await started();
  state.apply([changeSet(2, [put("www", "192.0.2.2")], { [zone.id]: 2 })]);
  fail("www.one.example");
  state.apply([changeSet(3, [{ kind: "zone_removed", zone_id: zone.id }], {})]);
  expect(state.quarantine.list()).toEqual([]);
});
