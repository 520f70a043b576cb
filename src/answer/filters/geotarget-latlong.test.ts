/** The order of answers after the `geotarget_latlong` filter. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ChainCase, lengths, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "geotarget_latlong", config: {} }];
const l = (latitude: unknown, longitude: unknown) => ({ meta: { latitude, longitude } });
const place = { latitude: 52.5, longitude: 13.4 };
const feeds = { paris: { latitude: "48.9", longitude: "2.3" }, half: { latitude: 52 } };

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  ["nearest first", { answers: [l(35.7, 139.7), l(40.7, -74), l(48.9, 2.3)] }, [2, 1, 0]],
  ["numbers as text", { answers: [l("35.7", "139.7"), l("48.9", "2.3")] }, [1, 0]],
  ["across the date line", { answers: [l(0, 170), l(0, -175)], place: { latitude: 0, longitude: 179 } }, [1, 0]],
  ["over the pole", { answers: [l(60, 10), l(80, -170)], place: { latitude: 85, longitude: 10 } }, [1, 0]],
  ["answers without coordinates last, in their order", { answers: [{}, l(0, 0), {}, l(50, 10)] }, [3, 1, 0, 2]],
  [
    "one coordinate without the other is ignored",
    { answers: [l(52.5, undefined), l(undefined, 13.4), l(-40, -100)] },
    [2, 0, 1],
  ],
  ["invalid values are ignored", { answers: [l("north", 1), l([52], 13), l(true, {}), l(0, 0)] }, [3, 0, 1, 2]],
  ["equally near answers stay in order", { answers: [l(1, 1), l("1", "1"), l(52, 13), l(1, 1)] }, [2, 0, 1, 3]],
  ["a client in an unknown place: the order stays", { answers: [l(35, 139), {}, l(52, 13)], place: {} }, [0, 1, 2]],
  [
    "latitude and longitude are inherited separately, here from the region and from the record",
    {
      meta: { longitude: 13 },
      answers: [{ region: "r" }, l(52, 13), l(0, undefined)],
      regions: { r: { meta: { latitude: 40 } } },
    },
    [1, 0, 2],
  ],
  [
    "values of feeds",
    { answers: [l({ feed: "half" }, { feed: "half" }), l(0, 0), l({ feed: "paris" }, { feed: "paris" })], feeds },
    [2, 1, 0],
  ],
  ["no answers", { answers: [] }, []],
];
test.each(cases)("%s", (_name, chain, left) => expect(runChain({ place, ...chain, filters }).left).toEqual(left));

test("answers are ordered by great-circle distance", () => {
  const point = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  fc.assert(
    fc.property(point, fc.array(point, { maxLength: 30 }), (from, points) => {
      const { left } = runChain({ answers: points.map((meta) => ({ meta })), filters, place: from });
      const distances = left.map((answer) => haversine(from, points[Number(answer)]!));
      for (const [i, distance] of distances.entries())
        if (i > 0) expect(distance).toBeGreaterThan(distances[i - 1]! - 1e-6);
    }),
  );
});

/** In earth radii. */
function haversine(a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const north = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  return 2 * Math.asin(Math.min(1, Math.sqrt(north + cosines * east)));
}

test("the scope is the coordinates' prefix length if any answer has coordinates, otherwise 0", () => {
  expect(runChain({ answers: [l(1, 1), {}], filters, place }).depth).toBe(lengths.coordinates);
  expect(runChain({ answers: [{}, {}], filters, place }).depth).toBe(0);
});
