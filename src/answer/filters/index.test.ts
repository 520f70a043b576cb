/** Properties of every filter, with any metadata and configuration. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";
import { runs } from "../../../test/runs.ts";
import { isMetaKey } from "../model/meta.ts";
import type { Filter } from "./contract/filter.ts";
import { filters, filtersById } from "./index.ts";

const places = [
  "US",
  "us",
  "DE",
  "CA",
  "NY",
  "ON",
  "",
  "EUROPE",
  "US-WEST",
  "10.0.0.0/8",
  "192.0.2.0/24",
  "2001:db8::/32",
];
const scalar = fc.oneof(
  fc.constantFrom<unknown>(0, 1, -1, "0", "1", true, false, "true", null, Number.MAX_VALUE, 5e-324, "x"),
  fc.constantFrom<unknown>(...places),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 0, max: 100 }),
);
const feedIds = ["f0", "f1", "none"];
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(
    fc.constantFrom("US", "DE", "job_id", "__proto__", ""),
    fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  ),
  fc.constantFrom(...feedIds).map((feed) => ({ feed })),
  fc.jsonValue({ maxDepth: 3 }),
);
const metaFor = ({ inputs }: Filter) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.dictionary(fc.constantFrom("up", ...inputs), value, { maxKeys: 5 }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
const configFor = ({ config }: Filter) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.dictionary(fc.constantFrom("extra", ...Object.keys(config)), fc.oneof(scalar, value)) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
const region = fc.constantFrom<unknown>("a", "b", "missing", "", 7, null, undefined);

function casesFor(filter: Filter): fc.Arbitrary<ChainCase> {
  const meta = metaFor(filter);
  const described = fc.oneof(fc.record({ meta }), fc.constantFrom(null, "x", {}));
  return fc.record({
    answers: fc.array(fc.record({ meta, region }), { maxLength: 30 }),
    meta,
    regions: fc.oneof(fc.record({ a: described, b: described }), fc.constantFrom(undefined, null, [])),
    filters: configFor(filter).map((config) => [{ filter: filter.id, config }]),
    feeds: fc.record({ f0: fc.dictionary(fc.constantFrom("up", ...filter.inputs), value), f1: fc.constant({}) }),
    place: fc.record({
      country: fc.constantFrom("US", "DE", undefined),
      subdivision: fc.constantFrom("NY", "BE", undefined),
      georegion: fc.constantFrom("EUROPE", "US-WEST", undefined),
      asn: fc.constantFrom(1, 100, undefined),
      latitude: fc.constantFrom(52, undefined),
      longitude: fc.constantFrom(13, undefined),
    }),
    client: fc.constantFrom([10, 1, 2, 3], [192, 0, 2, 1], [0x20, 0x01, 0x0d, 0xb8, ...Array<number>(12).fill(0)]),
    seed: fc.integer(),
  });
}

describe.each(filters.map((filter) => [filter.id, filter] as const))("%s", (_id, filter) => {
  const holds = (check: (chain: ChainCase) => void) => () => {
    const property = fc.property(casesFor(filter), (chain) => {
      check(chain);
    });
    fc.assert(property, runs(100));
  };
  const asGiven = (chain: ChainCase) => chain.answers.map((_, answer) => answer);

  test(
    "it never throws",
    holds((chain) => void runChain(chain)),
  );

  test(
    "the same seed, client and metadata give the same outcome",
    holds((chain) => expect(runChain(chain)).toEqual(runChain(chain))),
  );

  test(
    "settings in the form of the image give the same outcome",
    holds((chain) => expect(runChain({ ...chain, isStored: true })).toEqual(runChain(chain))),
  );

  test(
    "the outcome fits the filter's kind",
    holds((chain) => {
      const { left, texts } = runChain(chain);
      const own = left.filter((answer) => typeof answer === "number");
      expect(new Set(own).size).toBe(own.length);
      if (filter.kind === "modifies") return;
      expect(texts).toEqual([]);
      expect(own).toEqual(left);
      if (filter.kind === "eliminates") expect(left).toEqual(own.toSorted((a, b) => a - b));
      if (filter.kind === "reorders") expect(own.toSorted((a, b) => a - b)).toEqual(asGiven(chain));
    }),
  );

  test("it keeps all answers without metadata, except select_first_n, which keeps one", () => {
    const answers = [{}, {}, {}];
    const { left } = runChain({ answers, filters: [{ filter: filter.id }] });
    if (filter.id === "select_first_n") expect(left).toEqual([0]);
    else expect(left.toSorted()).toEqual([0, 1, 2]);
  });

  test(
    "the first ranks do not depend on whether later filters look at the rest",
    holds((chain) => {
      const keep = { filter: "select_first_n", config: { N: 2 } };
      const { left } = runChain({ ...chain, filters: [...chain.filters, keep] });
      expect(left).toEqual(runChain(chain).left.slice(0, 2));
    }),
  );

  test(
    "the outcome depends only on the client's bits within the scope",
    holds((chain) => {
      const outcome = runChain(chain);
      const client = chain.client?.map((octet, i) => octet ^ (0xff >> Math.min(8, Math.max(0, outcome.depth - i * 8))));
      const elsewhere = { country: "JP", georegion: "ASIAPAC", asn: 7, latitude: 36, longitude: 138 } as const;
      const place = outcome.depth === 0 ? elsewhere : chain.place;
      expect(runChain({ ...chain, client: client!, place: place! })).toEqual(outcome);
    }),
  );

  test("it has descriptions for people and programs", () => {
    expect(filter.id).toMatch(/^[a-z0-9_]+$/);
    expect([2, 3]).toContain(filter.tier);
    for (const text of [filter.shortdesc, filter.desc]) expect(text.length).toBeGreaterThan(5);
    for (const key of filter.inputs) expect(isMetaKey(key)).toBe(true);
    for (const { listing, read } of Object.values(filter.config)) {
      if (listing.choices) expect(listing.choices).not.toEqual([]);
      expect(Object.keys({ ...listing, choices: [] }).toSorted()).toEqual([
        "choices",
        "default",
        "desc",
        "required",
        "shortdesc",
        "type",
        "validator",
      ]);
      expect(read(listing.default)).toEqual(read(undefined));
    }
  });
});

test("filters have different ids", () => expect(filtersById.size).toBe(filters.length));

test("every filter of the API exists", () => {
  const ids =
    "up shuffle weighted_shuffle select_first_n select_first_region sticky sticky_region weighted_sticky priority cost shed_load geotarget_country geotarget_regional geotarget_latlong geofence_country geofence_regional netfence_asn netfence_prefix ipv4_prefix_shuffle parse_ipv4 pulsar pulse pulsar_performance_sort pulsar_performance_stabilize pulsar_availability_sort pulsar_availability_threshold additional_metadata dhcp";
  expect([...filtersById.keys()].toSorted()).toEqual(ids.split(" ").toSorted());
});

test("a chain of unknown filters keeps all answers", () => {
  expect(runChain({ answers: [{}, {}], filters: [{ filter: "nonsense" }, { filter: 7 }, 8, null] }).left).toEqual([
    0, 1,
  ]);
});
