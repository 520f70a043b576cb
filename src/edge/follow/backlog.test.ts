/** Change sets that arrive while contents of a zone are built: some are applied at once, the other sets wait. */
import { beforeEach, expect, test, vi } from "vitest";
import { baselineOf, changeSet, queryOf, recordState, summary, zoneState } from "../../../test/engine/states.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { newLog } from "../../lib/log.ts";
import type { Change, ChangeSet, ZoneState } from "../../sync/change.ts";
import { PartWriter } from "../../sync/contents.ts";
import { createServe, type Serve } from "../serve/serve.ts";
import { EdgeState } from "./state.ts";

const client = { family: 4, address: Uint8Array.of(192, 0, 2, 9), port: 5353 } as const;
const loaded = zoneState("loaded.example");
const other = zoneState("other.example");

let state: EdgeState;
let image: ImageReader;
let serve: Serve;

beforeEach(async () => {
  state = new EdgeState({
    log: newLog("silent", "test"),
    onImage: (share) => {
      image = new ImageReader(share, 0);
      serve = createServe(image);
    },
    onGrow: (share) => image.update(share),
  });
  await state.start(baselineOf([other], []));
});

function ask(question: string): string {
  const out = new Uint8Array(1232);
  const query = queryOf(question);
  image.enter();
  const written = serve(query, 0, query.length, client, "udp", out, 0, out.length);
  image.leave();
  return summary(out.subarray(0, written));
}

const record = (zone: ZoneState, address: string): Change => ({
  kind: "record",
  record: recordState(zone, `www.${zone.zone}`, "A", [address]),
});
const removed = (zone: ZoneState): Change => ({ kind: "zone_removed", zone_id: zone.id });

/** A set that creates a zone with an A record at `host`; the contents arrive when the test calls `come`. */
function loading(revision: number, zone: ZoneState): { set: ChangeSet; come: () => void; fail: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  promise.catch(() => {});
  const writer = new PartWriter();
  writer.add({ owner: nameFromApi(`host.${zone.zone}`), type: 1, ttl: 60, rdata: [Uint8Array.of(192, 0, 2, 1)] });
  const part = writer.take();
  const load = { id: "load", parts: 1, records: 1, checksum: "" };
  const contents = { kind: "contents", zone_id: zone.id, zone: zone.zone, load } as const;
  const parts = async function* () {
    await promise;
    yield part;
  };
  const set = changeSet(revision, [{ kind: "zone", zone }, contents], { [zone.id]: revision });
  return { set: { ...set, parts }, come: resolve, fail: () => reject(new Error("gone")) };
}

const reaches = (revision: number) => vi.waitFor(() => expect(state.applied()).toBe(revision), 10_000);

test("changes of other zones are applied while a zone is built; changes of the zone wait", async () => {
  const { set, come } = loading(2, loaded);
  state.apply([
    set,
    changeSet(3, [record(other, "192.0.2.3")], { [other.id]: 3 }),
    changeSet(4, [record(loaded, "192.0.2.4")], { [loaded.id]: 4 }),
  ]);
  state.apply([changeSet(5, [record(other, "192.0.2.5")], { [other.id]: 5 })]);
  expect([ask("www.other.example A"), ask("other.example SOA")]).toEqual(["NOERROR 192.0.2.5", "NOERROR 5"]);
  expect(ask("www.loaded.example A")).toBe("REFUSED");
  // the store must keep the waiting sets, and no snapshot can be written
  expect([state.applied(), state.waiting, state.imageForSnapshot()]).toEqual([1, 2, undefined]);
  come();
  await reaches(5);
  expect([ask("host.loaded.example A"), ask("www.loaded.example A"), ask("loaded.example SOA")]).toEqual([
    "NOERROR 192.0.2.1",
    "NOERROR 192.0.2.4",
    "NOERROR 4",
  ]);
  expect([state.waiting, state.imageForSnapshot() === state.image()]).toEqual([0, true]);
});

test("a set with a zone that is being built waits as a whole, and later sets with the other zones wait", async () => {
  const { set, come } = loading(2, loaded);
  state.apply([
    set,
    changeSet(3, [record(loaded, "192.0.2.3"), record(other, "192.0.2.3")], { [loaded.id]: 3, [other.id]: 3 }),
    changeSet(4, [record(other, "192.0.2.4")], { [other.id]: 4 }),
  ]);
  expect(ask("www.other.example A")).toBe("NXDOMAIN");
  come();
  await reaches(4);
  expect([ask("www.loaded.example A"), ask("www.other.example A")]).toEqual(["NOERROR 192.0.2.3", "NOERROR 192.0.2.4"]);
});

test("a set with the zones of two waiting sets waits for both", async () => {
  const second = zoneState("second.example");
  const one = loading(2, loaded);
  const two = loading(3, second);
  const both = [record(loaded, "192.0.2.4"), record(second, "192.0.2.4")];
  state.apply([one.set, two.set, changeSet(4, both, { [loaded.id]: 4, [second.id]: 4 })]);
  one.come();
  await vi.waitFor(() => expect(state.applied()).toBe(1));
  expect(ask("host.loaded.example A")).toBe("REFUSED");
  two.come();
  await reaches(4);
  expect([ask("host.loaded.example A"), ask("www.second.example A")]).toEqual([
    "NOERROR 192.0.2.1",
    "NOERROR 192.0.2.4",
  ]);
});

test("the removal of a zone ends its building, and a new zone of the same name does not wait", async () => {
  const { set } = loading(2, loaded);
  const again = { ...loaded, id: "another id" };
  state.apply([set]);
  const link = zoneState("link.example", { link: loaded.zone });
  state.apply([changeSet(3, [{ kind: "zone", zone: link }], { [link.id]: 3 })]);
  expect(state.waiting).toBe(2);
  state.apply([
    changeSet(4, [removed(loaded)], {}),
    changeSet(5, [{ kind: "zone", zone: again }, record(again, "192.0.2.5")], { [again.id]: 5 }),
  ]);
  expect([state.applied(), state.waiting, ask("www.loaded.example A")]).toEqual([5, 0, "NOERROR 192.0.2.5"]);
  while (state.image()!.tidy(1000));
  expect([state.stats().zones, state.stats().records]).toEqual([3, 1]);
});

test("contents that cannot be fetched are reported as a failure, and a new baseline replaces the zones", async () => {
  const { set, fail } = loading(2, loaded);
  state.apply([set, changeSet(3, [record(other, "192.0.2.3")], { [other.id]: 3 })]);
  fail();
  await vi.waitFor(() => expect(() => state.applied()).toThrow("gone"));
  await state.start(baselineOf([other], [], 7));
  expect([state.applied(), state.waiting, ask("www.other.example A")]).toEqual([7, 0, "NXDOMAIN"]);
});

test("contents built for one image are not used in the next", async () => {
  const { set, come } = loading(2, loaded);
  state.apply([set]);
  await state.start(baselineOf([other, loaded], [], 7));
  come();
  state.apply([changeSet(8, [record(loaded, "192.0.2.8")], { [loaded.id]: 8 })]);
  expect([state.applied(), ask("www.loaded.example A")]).toEqual([8, "NOERROR 192.0.2.8"]);
  expect([ask("host.loaded.example A"), state.stats().records]).toEqual(["NXDOMAIN", 1]);
});
