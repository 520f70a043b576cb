/** Steered records with any metadata and chain are answered, without a fault or SERVFAIL. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { parseAnswer, queryOf, steeredRecord, TestImage } from "../../../test/scenarios/image.ts";
import { option } from "../../../test/scenarios/packet.ts";
import type { ClientFacts } from "../../lib/facts.ts";
import { filters } from "../filters/index.ts";
import { LiveReader } from "../live/reader.ts";
import { LiveTable } from "../live/table.ts";
import { metaKeys } from "../model/meta.ts";

const zone = "example.com";
const feeds = ["f0", "f1", "f2"];

const likely = fc.constantFrom<unknown>(
  ...[
    0,
    -1,
    1,
    0.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    "1",
    "-1",
    "",
    "x",
    "true",
    true,
    false,
    null,
    [],
    {},
    [null],
    [[]],
  ],
  ...[
    "DE",
    ["DE", 1],
    ["US"],
    { US: ["CA"] },
    { US: "CA" },
    { US: null },
    ["20.0.0.0/8", "::/0", 7],
    "20.1.2.0/24",
    ["EUROPE"],
  ],
  ...[{ feed: "f0" }, { feed: "f1" }, { feed: "f2" }, { feed: "gone" }, { feed: 7 }, { feed: null }, [{ feed: "f0" }]],
);
const value = fc.oneof({ weight: 4, arbitrary: likely }, { weight: 1, arbitrary: fc.jsonValue() });
const meta = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(metaKeys)), value, { maxKeys: 8 }) },
  { weight: 1, arbitrary: value },
);
const settings = ["N", "sticky_by_network", "eliminate", "metric", "separator", "remove_no_location", "remove_no_asn"];
const filter = fc.record(
  {
    filter: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...filters.map(({ id }) => id)) },
      { weight: 1, arbitrary: value },
    ),
    config: fc.oneof(
      { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...settings), value) },
      { weight: 1, arbitrary: value },
    ),
    disabled: value,
  },
  { requiredKeys: ["filter"] },
);
const policy = fc.constantFrom("serve_all", "last_healthy", "group", "nothing", "x");
const records = fc.record({
  count: fc.integer({ min: 1, max: 6 }),
  metas: fc.array(fc.record({ meta, region: fc.oneof(fc.constantFrom("a", "b"), value) }, { requiredKeys: [] }), {
    minLength: 6,
  }),
  filters: fc.array(fc.oneof({ weight: 9, arbitrary: filter }, { weight: 1, arbitrary: value }), {
    minLength: 1,
    maxLength: 6,
  }),
  meta,
  regions: fc.oneof(fc.dictionary(fc.constantFrom("a", "b", "c"), fc.oneof(fc.record({ meta }), value)), value),
  use_client_subnet: fc.boolean(),
  all_down: fc.oneof(fc.record({ policy, group: fc.constantFrom("a", "b") }), value),
  live_guard: value,
});
const states = fc.array(fc.dictionary(fc.constantFrom(...Object.keys(metaKeys)), value), {
  minLength: 3,
  maxLength: 3,
});

test("any record is answered with some of its answers, or with NODATA", () => {
  const table = new LiveTable();
  const live = new LiveReader(table.share());
  live.now = 10;
  const facts: ClientFacts = {
    ...{ country: "US", subdivision: "CA", georegion: "US-WEST", asn: 64500, latitude: 37, longitude: -120 },
    lengths: { country: 8, subdivision: 12, georegion: 8, asn: 16, coordinates: 20 },
  };
  const image = new TestImage({ live, locate: () => facts }).put(zone, ["@ 300 NS ns1.example.com."]);
  const packet = (type: string) =>
    queryOf({ name: `1-2-3-4.x.${zone}.`, type, edns: 1232, options: option(8, [0, 1, 24, 0, 20, 1, 2]) });
  const types = [
    { type: "A", rdata: (i: number) => [`192.0.2.${i}`] },
    { type: "TXT", rdata: (i: number) => [`t${i}`] },
  ];
  const property = fc.property(
    records,
    states,
    fc.constantFrom(...types),
    ({ count, metas, ...record }, said, { type, rdata }) => {
      table.put(said.map((data, i) => ({ feed_id: feeds[i]!, data, at: 5, max_age: null, fallback: null })));
      const answers = metas.slice(0, count).map((each, i) => ({ answer: rdata(i % 4), ...each }));
      image.writer.putRecord(steeredRecord(zone, { domain: `*.x.${zone}`, type, answers, ...record }));
      image.writer.commit();
      for (const asked of [type, "ANY"]) {
        const { rcode, answer, authority } = parseAnswer(image.send(packet(asked))!);
        expect(image.faults).toEqual([]);
        expect(rcode).toBe("NOERROR");
        expect(new Set(answer).size).toBe(answer.length);
        expect(answer.length > 0 || authority.length === 1).toBe(true);
      }
      image.writer.removeRecord(zone, `*.x.${zone}`, type);
      image.writer.commit();
    },
  );
  fc.assert(property, { ...runs(500), seed: 42 });
});
