import { beforeEach, describe, expect, test, vi } from "vitest";
import { baselineOf, changeSet, queryOf, recordState, summary, zoneState } from "../../../test/engine/states.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { newLog } from "../../lib/log.ts";
import type { ServedNetworks } from "../../sync/change.ts";
import { PartWriter } from "../../sync/contents.ts";
import { createServe, type Serve } from "../serve/serve.ts";
import { EdgeState } from "./state.ts";

const zone = zoneState("example.com");
const www = (address: string) => recordState(zone, "www.example.com", "A", [address]);
const client = { family: 4, address: Uint8Array.of(192, 0, 2, 9), port: 5353 } as const;

let state: EdgeState;
let image: ImageReader;
let serve: Serve;
let images: number;

function stateOf(networks: ServedNetworks): EdgeState {
  return new EdgeState({
    networks,
    log: newLog("silent", "test"),
    onImage: (share) => {
      images++;
      image = new ImageReader(share, 0);
      serve = createServe(image);
    },
    onGrow: (share) => image.update(share),
  });
}

beforeEach(() => {
  images = 0;
  state = stateOf("all");
});

/** Zone contents of A records, in parts of 1,000; `rdata` has the last octets of their addresses. */
function contentsOf(records: readonly { owner: Uint8Array; type: number; rdata: readonly number[] }[]) {
  const writer = new PartWriter();
  const parts: Uint8Array[] = [];
  for (const { owner, type, rdata } of records) {
    writer.add({ owner, type, ttl: 60, rdata: rdata.map((last) => Uint8Array.of(192, 0, 2, last)) });
    if (writer.records === 1000) parts.push(writer.take());
  }
  if (writer.records > 0) parts.push(writer.take());
  return {
    load: { id: "load", parts: parts.length, records: records.length, checksum: "" },
    async *parts() {
      yield* parts;
    },
  };
}

const applied = (revision: number) => expect.poll(() => state.applied()).toBe(revision);

function ask(question: string): string {
  const out = new Uint8Array(1232);
  const query = queryOf(question);
  image.enter();
  const written = serve(query, 0, query.length, client, "udp", out, 0, out.length);
  image.leave();
  return summary(out.subarray(0, written));
}

describe("an edge's state", () => {
  test("queries are answered from a baseline", async () => {
    await state.start(baselineOf([zone], [www("192.0.2.1")], 7));
    expect(ask("www.example.com A")).toBe("NOERROR 192.0.2.1");
    expect(ask("example.com SOA")).toBe("NOERROR 1");
    expect(ask("www.example.org A")).toBe("REFUSED");
    expect([state.revision, state.stats().zones, state.stats().records]).toEqual([7, 1, 1]);
  });

  test("a linked zone is answered from its target, in any order of arrival and on any networks", async () => {
    state = stateOf([0]);
    const target = zoneState(zone.zone, { networks: [5] });
    const link = zoneState("link.test", { link: zone.zone });
    await state.start(baselineOf([link, target], [www("192.0.2.1")]));
    expect([ask("www.link.test A"), ask("www.example.com A")]).toEqual(["NOERROR 192.0.2.1", "REFUSED"]);
    await state.apply([changeSet(2, [{ kind: "record", record: www("192.0.2.2") }], { [target.id]: 2 })]);
    expect(ask("www.link.test A")).toBe("NOERROR 192.0.2.2");
    await state.apply([changeSet(3, [{ kind: "zone_removed", zone_id: link.id }], {})]);
    expect(ask("www.link.test A")).toBe("REFUSED");
  });

  test("a change set changes records and the serial", async () => {
    await state.start(baselineOf([zone], [www("192.0.2.1")]));
    const mail = recordState(zone, "mail.example.com", "A", ["192.0.2.3"]);
    const changes = [{ kind: "record", record: www("192.0.2.2") } as const, { kind: "record", record: mail } as const];
    state.apply([changeSet(2, changes, { [zone.id]: 2024 })]);
    expect(ask("www.example.com A")).toBe("NOERROR 192.0.2.2");
    expect(ask("mail.example.com A")).toBe("NOERROR 192.0.2.3");
    expect(ask("example.com SOA")).toBe("NOERROR 2024");
    const removed = { kind: "record_removed", zone_id: zone.id, domain: "www.example.com", type: "A" } as const;
    state.apply([changeSet(3, [removed], { [zone.id]: 2025 })]);
    expect(ask("www.example.com A")).toBe("NXDOMAIN");
    expect(state.revision).toBe(3);
  });

  test("contents replace all data of a zone, and later changes are applied to them", async () => {
    await state.start(
      baselineOf([zone], [www("192.0.2.1"), recordState(zone, "old.a.example.com", "A", ["192.0.2.9"])]),
    );
    const { load, parts } = contentsOf(
      Array.from({ length: 3000 }, (_, n) => ({
        owner: nameFromApi(`h${n}.b.example.com`),
        type: 1,
        rdata: [n & 255],
      })),
    );
    const contents = { kind: "contents", zone_id: zone.id, zone: zone.zone, load } as const;
    const set = changeSet(2, [contents, { kind: "record", record: www("192.0.2.7") }], { [zone.id]: 5 });
    state.apply([{ ...set, parts }]);
    // until the contents are built, the old data are answered, and no snapshot can be written
    expect([ask("old.a.example.com A"), state.imageForSnapshot()]).toEqual(["NOERROR 192.0.2.9", undefined]);
    await applied(2);
    expect(ask("old.a.example.com A")).toBe("NXDOMAIN");
    expect(ask("a.example.com A")).toBe("NXDOMAIN");
    expect(ask("b.example.com A")).toBe("NOERROR");
    expect(ask("h2999.b.example.com A")).toBe("NOERROR 192.0.2.183");
    expect(ask("www.example.com A")).toBe("NOERROR 192.0.2.7");
    expect(ask("example.com SOA")).toBe("NOERROR 5");
    expect([state.revision, state.stats().zones, state.stats().records]).toEqual([2, 1, 3001]);
    expect(state.imageForSnapshot()).toBeDefined();
  });

  test("incomplete contents are in no snapshot", async () => {
    await state.start(baselineOf([zone], [www("192.0.2.1")]));
    const { load, parts } = contentsOf([{ owner: nameFromApi("a.example.com"), type: 1, rdata: [4] }]);
    const contents = { kind: "contents", zone_id: zone.id, zone: zone.zone, load } as const;
    const broken = async function* () {
      yield* parts();
      throw new Error("gone");
    };
    const set = changeSet(2, [contents], { [zone.id]: 5 });
    state.apply([{ ...set, parts: broken }]);
    await vi.waitFor(() => expect(() => state.applied()).toThrow("gone"));
    expect([ask("a.example.com A"), ask("www.example.com A"), state.imageForSnapshot()]).toEqual([
      "NXDOMAIN",
      "NOERROR 192.0.2.1",
      undefined,
    ]);
    await state.start(baselineOf([zone], [www("192.0.2.2")]));
    expect([ask("www.example.com A"), state.imageForSnapshot() !== undefined]).toEqual(["NOERROR 192.0.2.2", true]);
    expect(state.applied()).toBe(1);
  });

  test("contents can arrive with a new zone; contents of a removed zone are dropped", async () => {
    await state.start(baselineOf([zone], [www("192.0.2.1")]));
    const other = zoneState("example.org");
    const { load, parts } = contentsOf([{ owner: nameFromApi("www.example.org"), type: 1, rdata: [4] }]);
    const contents = { kind: "contents", zone_id: other.id, zone: other.zone, load } as const;
    await state.apply([{ ...changeSet(2, [contents], {}), parts }]);
    expect(ask("www.example.org A")).toBe("REFUSED");
    const set = changeSet(3, [{ kind: "zone", zone: other }, contents], { [other.id]: 8 });
    state.apply([{ ...set, parts }]);
    await applied(3);
    expect([ask("www.example.org A"), ask("example.org SOA")]).toEqual(["NOERROR 192.0.2.4", "NOERROR 8"]);
    await state.apply([changeSet(4, [{ kind: "zone_removed", zone_id: other.id }], {})]);
    expect([ask("www.example.org A"), state.stats().records]).toEqual(["REFUSED", 1]);
  });

  test("zones are created, changed and removed", async () => {
    await state.start(baselineOf([], []));
    const other = zoneState("example.org");
    state.apply([changeSet(2, [{ kind: "zone", zone: other }], { [other.id]: 10 })]);
    expect(ask("example.org SOA")).toBe("NOERROR 10");
    state.apply([changeSet(3, [{ kind: "zone", zone: { ...other, ttl: 60 } }], { [other.id]: 11 })]);
    expect(ask("example.org SOA")).toBe("NOERROR 11");
    state.apply([changeSet(4, [{ kind: "zone_removed", zone_id: other.id }], {})]);
    expect(ask("example.org SOA")).toBe("REFUSED");
  });

  test("a zone is answered while it is on one of the edge's networks", async () => {
    state = stateOf([1, 2]);
    const on = (...networks: number[]) => ({ ...zone, networks });
    await state.start(baselineOf([on(0)], [www("192.0.2.1")]));
    let revision = 1;
    for (const [networks, answer] of [
      [[0, 2], "NOERROR 192.0.2.1"],
      [[0], "REFUSED"],
      [[1], "NOERROR 192.0.2.1"],
      [[], "REFUSED"],
    ] as const) {
      state.apply([changeSet(++revision, [{ kind: "zone", zone: on(...networks) }], { [zone.id]: revision })]);
      expect(ask("www.example.com A")).toBe(answer);
    }
  });

  test("a record that cannot be served is left out, and nothing else", async () => {
    const bad = recordState(zone, "bad.example.com", "A", ["not an address"]);
    await state.start(baselineOf([zone], [bad, www("192.0.2.1")]));
    expect(ask("www.example.com A")).toBe("NOERROR 192.0.2.1");
    expect(ask("bad.example.com A")).toBe("NXDOMAIN");
    const changes = [
      { kind: "record", record: { ...www("::1"), ttl: 5 } } as const,
      { kind: "record", record: recordState(zone, "mail.example.com", "A", ["192.0.2.3"]) } as const,
    ];
    state.apply([changeSet(2, changes, { [zone.id]: 5 })]);
    expect(ask("www.example.com A")).toBe("NOERROR 192.0.2.1");
    expect(ask("mail.example.com A")).toBe("NOERROR 192.0.2.3");
    expect(ask("example.com SOA")).toBe("NOERROR 5");
    expect([state.refused, state.revision]).toEqual([2, 2]);
  });

  test("another baseline replaces everything", async () => {
    await state.start(baselineOf([zone], [www("192.0.2.1")]));
    const other = zoneState("example.org");
    await state.start(baselineOf([other], [], 9));
    expect(ask("www.example.com A")).toBe("REFUSED");
    expect(ask("example.org SOA")).toBe("NOERROR 1");
    expect([images, state.revision]).toEqual([2, 9]);
  });

  test("change sets before a baseline are an error", () => {
    expect(() => state.apply([changeSet(2, [], {})])).toThrow("before a baseline");
  });

  test("changes of a zone that was removed before they got a serial are ignored", async () => {
    await state.start(baselineOf([zone], [www("192.0.2.1")]));
    const brief = zoneState("brief.example");
    const record = recordState(brief, "www.brief.example", "A", ["192.0.2.9"]);
    state.apply([
      changeSet(2, [{ kind: "zone", zone: brief } as const, { kind: "record", record } as const], {}),
      changeSet(3, [{ kind: "zone_removed", zone_id: brief.id } as const], {}),
    ]);
    expect(state.refused).toBe(0);
    expect([state.revision, state.stats().zones, state.stats().records]).toEqual([3, 1, 1]);
  });
});
