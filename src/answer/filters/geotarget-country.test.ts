/** The order of answers after the `geotarget_country` filter. */
import { describe, expect, test } from "vitest";
import { type ChainCase, lengths, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "geotarget_country", config: {} }];
const m = (meta: unknown) => ({ meta });
const c = (country: unknown) => m({ country });
const berlin = { country: "DE", subdivision: "BE", latitude: 52.5, longitude: 13.4 };
const losAngeles = { country: "US", subdivision: "CA", latitude: 34, longitude: -118 };
const tijuana = { country: "MX", latitude: 32.5, longitude: -117 };
const feeds = { german: { country: ["DE"] }, odd: { country: 49 } };

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  ["nearest first", { answers: [c(["JP"]), c(["US"]), c(["FR"]), c(["DE"])], place: berlin }, [3, 2, 1, 0]],
  ["the nearest of an answer's places decides", { answers: [c(["FR"]), c(["JP", "DE"])], place: berlin }, [1, 0]],
  [
    "answers without a place last, in their order",
    { answers: [{}, c(["JP"]), {}, c(["FR"])], place: berlin },
    [3, 1, 0, 2],
  ],
  ["all without a place", { answers: [{}, {}], place: berlin }, [0, 1]],
  [
    "the client's state before its country, the client's country before other countries",
    { answers: [c(["CA"]), c(["US"]), m({ us_state: ["CA"] }), m({ us_state: ["NY"] })], place: losAngeles },
    [2, 1, 0, 3],
  ],
  [
    "an answer for the client's country before a nearer answer for another country",
    { answers: [m({ us_state: ["CA"] }), c(["MX"]), c(["US"])], place: tijuana },
    [1, 0, 2],
  ],
  [
    "subdivisions as states and provinces",
    { answers: [m({ subdivisions: { US: ["NY"] } }), m({ subdivisions: { US: ["CA"] } })], place: losAngeles },
    [1, 0],
  ],
  [
    "equally near answers stay in order",
    { answers: [c(["FR"]), c("fr"), c(["DE"]), c(["FR"])], place: berlin },
    [2, 0, 1, 3],
  ],
  ["a client in an unknown place: the order stays", { answers: [c(["JP"]), {}, c(["DE"])], place: {} }, [0, 1, 2]],
  [
    "a client with a known country and no coordinates",
    { answers: [c(["JP"]), {}, c(["DE"])], place: { country: "DE" } },
    [2, 0, 1],
  ],
  [
    "unknown places come after known places, and before answers without a place",
    { answers: [c(["ZZ"]), {}, c(["JP"])], place: berlin },
    [2, 0, 1],
  ],
  [
    "invalid values are no places",
    { answers: [c(7), c([]), m({ subdivisions: "DE" }), c(["JP"])], place: berlin },
    [3, 0, 1, 2],
  ],
  [
    "the region's place, and the record's",
    { meta: { country: "FR" }, answers: [{ region: "far" }, {}, c("DE")], regions: { far: c(["JP"]) }, place: berlin },
    [2, 1, 0],
  ],
  [
    "places of feeds",
    { answers: [c({ feed: "odd" }), c("FR"), c({ feed: "german" }), c({ feed: "none" })], feeds, place: berlin },
    [2, 1, 0, 3],
  ],
  ["no answers", { answers: [], place: berlin }, []],
];
test.each(cases)("%s", (_name, chain, left) => expect(runChain({ ...chain, filters }).left).toEqual(left));

describe("the scope", () => {
  const depth = (answers: ChainCase["answers"], place: ChainCase["place"] = berlin) =>
    runChain({ answers, filters, place: place ?? {} }).depth;
  test("is 0 without a tagged answer, or with one answer", () => {
    expect(depth([{}, {}])).toBe(0);
    expect(depth([c(["DE"])])).toBe(0);
  });
  test("is the country's prefix length when the country decides all answers", () =>
    expect(depth([c(["DE"]), {}])).toBe(lengths.country));
  test("is the coordinates' prefix length when distances decide", () => {
    expect(depth([c(["FR"]), c(["JP"])])).toBe(lengths.coordinates);
  });
});
