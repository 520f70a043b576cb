/** A trace of a chain: its contents, and that it changes no octet of the answer. */
import { describe, expect, test } from "vitest";
import { queryOf, steeredRecord, TestImage } from "../../../test/scenarios/image.ts";
import { option } from "../../../test/scenarios/packet.ts";
import { Query } from "../../dns/wire/message.ts";
import { LiveReader } from "../live/reader.ts";
import { LiveTable } from "../live/table.ts";
import { respond } from "../reply/respond.ts";
import type { TraceStep } from "../reply/trace.ts";
import { Workspace } from "../reply/workspace.ts";
import { Steering } from "./steering.ts";
import { emptyAtlas } from "./unknown.ts";

const zone = "example.com";
const source = { family: 4, address: Uint8Array.of(192, 0, 2, 99) } as const;
const table = new LiveTable();
table.put([
  { feed_id: "f1", data: { up: true, weight: 3 }, at: 5000, max_age: null, fallback: null },
  { feed_id: "f2", data: { up: false, country: ["DE"] }, at: 6000, max_age: null, fallback: null },
]);
const live = new LiveReader(table.share());
live.now = 10_000;

const filters = [
  { filter: "geofence_country", config: { remove_no_location: true } },
  { filter: "up", config: {} },
  { filter: "nonsense", config: {} },
  { filter: "weighted_shuffle", config: {}, disabled: true },
  { filter: "weighted_shuffle", config: {} },
  { filter: "select_first_n", config: { N: "2" } },
];
const answers = [
  { answer: ["192.0.2.1"], meta: { country: ["DE"], up: { feed: "f1" }, weight: { feed: "f1" } } },
  { answer: ["192.0.2.2"], meta: { country: { feed: "f2" }, up: { feed: "f2" }, weight: 1 } },
  { answer: ["192.0.2.3"], meta: { country: ["FR"], up: true, weight: 1 } },
  { answer: ["192.0.2.4"], region: "eu", meta: { weight: 2 } },
];
const image = new TestImage({ asSent: true }).put(zone, [
  "@ 300 NS ns1.example.com.",
  "c 60 CNAME www",
  "mail 60 MX 1 www",
]);
const regions = { eu: { meta: { up: true } } };
image.writer.putRecord(steeredRecord(zone, { type: "A", answers, filters, regions, meta: { country: ["DE"] } }));
image.writer.putRecord(
  steeredRecord(zone, { type: "A", domain: `all.${zone}`, answers, filters: [{ filter: "shuffle", config: {} }] }),
);
image.writer.commit();

function octetsOf(name: string, type: string, seed: number, trace?: (step: TraceStep) => void): Uint8Array {
  const place = { country: "DE", subdivision: undefined, georegion: undefined, asn: undefined };
  const lengths = { country: 12, subdivision: 0, georegion: 0, asn: 0, coordinates: 0 };
  const locate = () => ({ ...place, latitude: undefined, longitude: undefined, lengths });
  const space = new Workspace(image.reader, new Steering({ live, locate, atlas: emptyAtlas, seed }));
  const query = new Query();
  const packet = queryOf({ name, type, edns: 1232, options: option(8, [0, 1, 24, 0, 20, 1, 2]) });
  const out = new Uint8Array(1232);
  image.reader.enter();
  query.parse(packet, 0, packet.length);
  space.message.opt.begin(query);
  space.message.begin(query, out, 0, out.length);
  respond(space, query, source, trace);
  const length = space.message.end(query, 1232);
  image.reader.leave();
  return out.slice(0, length);
}

describe("a trace of a chain", () => {
  test.each(["www A", "c A", "mail MX", "all A", "www ANY"])("changes no octet of the answer to %s", (question) => {
    const [owner, type] = question.split(" ") as [string, string];
    for (let seed = 1; seed <= 20; seed++) {
      const name = `${owner}.${zone}.`;
      expect(octetsOf(name, type, seed, () => undefined)).toEqual(octetsOf(name, type, seed));
    }
  });

  test("comes after the look-up of its record", () => {
    const steps: TraceStep[] = [];
    octetsOf(`c.${zone}.`, "A", 1, (step) => steps.push(step));
    expect(steps.map(({ kind }) => kind)).toEqual(["lookup", "lookup", "chain"]);
  });

  test("has, for each enabled filter, the answers before and after it and the values it read", () => {
    const steps: TraceStep[] = [];
    octetsOf(`www.${zone}.`, "A", 1, (step) => steps.push(step));
    const chain = steps.find((step) => step.kind === "chain")!;
    const [geofence, up, nonsense, shuffle, select] = chain.filters;
    const numbers = (list: readonly { answer: number }[]) => list.map(({ answer }) => answer);
    expect(geofence).toMatchObject({ filter: "geofence_country", acts: true });
    expect([numbers(geofence!.before), numbers(geofence!.after)]).toEqual([
      [0, 1, 2, 3],
      [0, 1, 3],
    ]);
    expect(geofence!.facts).toEqual([{ fact: "country", value: "DE", bits: 12 }]);
    expect(geofence!.values).toContainEqual({ answer: 3, key: "country", value: ["DE"], source: "record" });
    const ofFeed = { source: "answer", feed: "f2", pushed_at: 6000 };
    expect(geofence!.values).toContainEqual({ answer: 1, key: "country", value: ["DE"], ...ofFeed });
    expect(up!.facts).toEqual([]);
    expect(up!.values).toEqual([
      { answer: 0, key: "up", value: true, source: "answer", feed: "f1", pushed_at: 5000 },
      { answer: 1, key: "up", value: false, ...ofFeed },
      { answer: 3, key: "up", value: true, source: "region" },
    ]);
    expect(numbers(up!.after)).toEqual([0, 3]);
    expect(nonsense).toMatchObject({ filter: "nonsense", acts: false, before: [{ answer: 0 }, { answer: 3 }] });
    expect(shuffle!.values.map(({ answer, value }) => [answer, value])).toEqual([
      [0, 3],
      [3, 2],
    ]);
    expect(select).toMatchObject({ filter: "select_first_n", config: { N: "2" }, values: [], facts: [] });
  });

  test("has the reason of each answer that left", () => {
    const steps: TraceStep[] = [];
    octetsOf(`www.${zone}.`, "A", 1, (step) => steps.push(step));
    const [geofence, up, , shuffle] = steps.find((step) => step.kind === "chain")!.filters;
    expect(geofence!.left).toEqual([{ answer: 2, reason: "the client is not in a place that the answer names" }]);
    expect(up).toMatchObject({ left: [{ answer: 1, reason: "up is not true" }], all_down: undefined, guarded: false });
    expect(shuffle!.left).toEqual([]);
  });

  test("says which policy applied when no answer is up, and that live_guard put answers back", () => {
    const down = (feed: string) => ({ answer: ["192.0.2.1"], meta: { up: { feed } } });
    const traced = (more: object) => {
      const domain = `down.${zone}`;
      const body = { answers: [down("f2"), down("f2")], filters: [{ filter: "up", config: {} }], ...more };
      image.writer.putRecord(steeredRecord(zone, { type: "A", domain, ...body }));
      image.writer.commit();
      const steps: TraceStep[] = [];
      octetsOf(`${domain}.`, "A", 1, (step) => steps.push(step));
      return steps.find((step) => step.kind === "chain")!.filters[0]!;
    };
    expect(traced({})).toMatchObject({ left: [], all_down: "keep", guarded: false });
    const reason = 'no answer is up, and all_down is "nothing"';
    const nothing = traced({ all_down: { policy: "nothing" } });
    expect(nothing).toMatchObject({
      left: [
        { answer: 0, reason },
        { answer: 1, reason },
      ],
      all_down: "nothing",
    });
    expect(traced({ all_down: { policy: "nothing" }, live_guard: 0.5 })).toMatchObject({ left: [], guarded: true });
  });

  test("has no facts about the client if no filter reads any", () => {
    const steps: TraceStep[] = [];
    octetsOf(`all.${zone}.`, "A", 1, (step) => steps.push(step));
    const chain = steps.find((step) => step.kind === "chain")!;
    expect(chain.filters.flatMap(({ facts }) => facts)).toEqual([]);
  });
});

test("the value of a feed has the time of its push under both spellings of the key", () => {
  const metadata = { loadavg: { feed: "loads" }, high_watermark: 2 };
  table.put([{ feed_id: "loads", data: { loadAvg: 1 }, at: 7000, max_age: null, fallback: null }]);
  const domain = `load.${zone}`;
  for (const metric of ["loadavg", "loadAvg"]) {
    const shed = [{ filter: "shed_load", config: { metric } }];
    image.writer.putRecord(
      steeredRecord(zone, { type: "A", domain, answers: [{ ...answers[0]!, meta: metadata }], filters: shed }),
    );
    image.writer.commit();
    const steps: TraceStep[] = [];
    octetsOf(domain, "A", 1, (step) => steps.push(step));
    const values = steps.flatMap((step) =>
      step.kind === "chain" ? step.filters.flatMap((filter) => filter.values) : [],
    );
    expect(values.find(({ feed }) => feed === "loads")).toMatchObject({ value: 1, pushed_at: 7000 });
  }
});
