/** The answers that the `geofence_country` filter keeps. */
import { describe, expect, test } from "vitest";
import { type ChainCase, lengths, runChain } from "../../../test/engine/chain.ts";

const fence = (config: unknown = {}) => [{ filter: "geofence_country", config }];
const m = (meta: unknown) => ({ meta });
const california = { country: "US", subdivision: "CA" };
const berlin = { country: "DE", subdivision: "BE" };
const feeds = { german: { country: ["DE"] }, odd: { country: 49 }, scalar: { country: "de" } };

/** `kept`: the remaining answers; `alone`: those that remain with `remove_no_location`. */
type Row = [name: string, chain: Omit<ChainCase, "filters">, kept: number[], alone: number[]];
const cases: Row[] = [
  [
    "the country of the client",
    { answers: [m({ country: ["US"] }), m({ country: ["DE", "FR"] })], place: berlin },
    [1],
    [1],
  ],
  ["untagged answers besides a match", { answers: [{}, m({ country: ["DE"] }), {}], place: berlin }, [0, 1, 2], [1]],
  ["untagged answers without a match", { answers: [{}, m({ country: ["US"] }), {}], place: berlin }, [0, 2], [0, 2]],
  ["no match and no untagged answers leave nothing", { answers: [m({ country: ["US"] })], place: berlin }, [], []],
  ["all untagged", { answers: [{}, {}], place: berlin }, [0, 1], [0, 1]],
  [
    "one code without a list, in small letters",
    { answers: [m({ country: "de" }), m({ country: "fr" })], place: berlin },
    [0],
    [0],
  ],
  ["a state", { answers: [m({ us_state: ["CA", "NV"] }), m({ us_state: ["NY"] })], place: california }, [0], [0]],
  [
    "a state does not match the same code in another country",
    { answers: [m({ us_state: ["BE"] }), {}], place: berlin },
    [1],
    [1],
  ],
  [
    "a province",
    { answers: [m({ ca_province: ["ON"] }), m({ us_state: ["ON"] }), {}], place: { country: "CA", subdivision: "ON" } },
    [0, 2],
    [0],
  ],
  [
    "subdivisions by country",
    { answers: [m({ subdivisions: { DE: ["BE"], US: ["NY"] } }), m({ subdivisions: { DE: ["BY"] } })], place: berlin },
    [0],
    [0],
  ],
  [
    "a country besides a state admits the whole country",
    { answers: [m({ country: ["US"], us_state: ["NY"] }), m({ us_state: ["NY"] })], place: california },
    [0],
    [0],
  ],
  [
    "a client in an unknown place gets the untagged answers",
    { answers: [m({ country: ["DE"] }), {}], place: {} },
    [1],
    [1],
  ],
  [
    "a client in an unknown subdivision is in no state",
    { answers: [m({ us_state: ["CA"] }), {}], place: { country: "US" } },
    [1],
    [1],
  ],
  [
    "the region's place if the answer has none",
    {
      answers: [{ region: "eu" }, { region: "us" }],
      regions: { eu: m({ country: ["DE"] }), us: m({ country: ["US"] }) },
      place: berlin,
    },
    [0],
    [0],
  ],
  [
    "the record's place if answer and region have none",
    { meta: { country: "US" }, answers: [{}, m({ country: "DE" })], place: berlin },
    [1],
    [1],
  ],
  [
    "places of feeds; answers with a feed without data are untagged",
    { answers: ["german", "odd", "scalar", "none"].map((feed) => m({ country: { feed } })), feeds, place: berlin },
    [0, 1, 2, 3],
    [0, 2],
  ],
  [
    "answers with invalid values are untagged",
    {
      answers: [
        m({ country: 7 }),
        m({ country: [] }),
        m({ country: [""] }),
        m({ us_state: {} }),
        m({ subdivisions: ["DE"] }),
      ],
    },
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4],
  ],
  ["no answers", { answers: [], place: berlin }, [], []],
];

describe.each(cases)("%s", (_name, chain, kept, alone) => {
  test.each([undefined, {}, { remove_no_location: false }, { remove_no_location: "0" }])(
    "untagged answers stay with %j",
    (config) => {
      expect(runChain({ ...chain, filters: fence(config) }).left).toEqual(kept);
    },
  );
  test.each([true, 1, "1", "true"])("untagged answers go on a match with %j", (remove_no_location) => {
    expect(runChain({ ...chain, filters: fence({ remove_no_location }) }).left).toEqual(alone);
  });
});

describe("the scope", () => {
  const depth = (answers: ChainCase["answers"], place: ChainCase["place"] = berlin) =>
    runChain({ answers, filters: fence(), place: place ?? {} }).depth;

  test("is 0 without a tagged answer", () => expect(depth([{}, {}])).toBe(0));
  test("is 0 when earlier filters removed the tagged answers", () => {
    const answers = [m({ up: true }), m({ country: ["DE"] })];
    expect(runChain({ answers, filters: [{ filter: "up" }, ...fence()], place: berlin }).depth).toBe(0);
  });
  test("is the country's prefix length when answers name only countries", () => {
    expect(depth([m({ country: ["DE"] })])).toBe(lengths.country);
    expect(depth([m({ country: ["US"] })])).toBe(lengths.country);
  });
  test("is the subdivision's prefix length when an answer names a subdivision in the client's country", () => {
    expect(depth([m({ us_state: ["CA"] })], california)).toBe(lengths.subdivision);
    expect(depth([m({ us_state: ["CA"] })], berlin)).toBe(lengths.country);
  });
});
