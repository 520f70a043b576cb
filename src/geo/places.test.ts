import { iso31661, iso31662 } from "iso-3166";
import { expect, test } from "vitest";
import { distance, regionDistance } from "./distance.ts";
import { georegions } from "./facts.ts";
import { findPlace, maySubdivide } from "./places.ts";

test("every country of ISO 3166-1 has a place", () => {
  expect([...iso31661.map(({ alpha2 }) => alpha2), "XK"].filter((code) => findPlace(code) === undefined)).toEqual([]);
});

test("every subdivision of the USA and Canada has a place of its own", () => {
  const codes = iso31662.map(({ code }) => code.split("-")).filter(([country]) => country === "US" || country === "CA");
  expect(codes.length).toBeGreaterThan(60);
  expect(codes.filter(([country = "", part]) => findPlace(country, part) === findPlace(country))).toEqual([]);
  expect(maySubdivide("US", "ZZ")).toBe(false);
});

test.each([
  ["US", "NY", "US-EAST"],
  ["US", "TX", "US-CENTRAL"],
  ["US", "HI", "US-WEST"],
  ["US", "GU", "ASIAPAC"],
  ["US", undefined, "US-CENTRAL"],
  ["CA", "BC", "US-WEST"],
  ["CA", undefined, "US-EAST"],
  ["MX", undefined, "US-CENTRAL"],
  ["JM", undefined, "US-EAST"],
  ["BR", "SP", "SOUTH-AMERICA"],
  ["AE", undefined, "EUROPE"],
  ["IN", undefined, "ASIAPAC"],
  ["NZ", undefined, "ASIAPAC"],
  ["EG", undefined, "AFRICA"],
])("%s-%s lies in %s", (country, subdivision, region) => {
  expect(findPlace(country, subdivision)?.georegion).toBe(region);
});

test.each([
  [[52.5, 13.4, 48.85, 2.35], 877],
  [[40.7, -74, 35.7, 139.7], 10_850],
  [[-33.9, 151.2, -34.6, -58.4], 11_800],
  [[10, 179.5, 10, -179.5], 110],
  [[90, 0, -90, 0], 20_015],
  [[7, 8, 7, 8], 0],
] as const)("%j are %d km apart", ([a, b, c, d], kilometres) => {
  expect(Math.abs(distance(a, b, c, d) - kilometres)).toBeLessThanOrEqual(kilometres * 0.005);
});

test("the regions of the USA are each other's nearest, and a region is next to itself", () => {
  for (const one of georegions)
    expect(georegions.toSorted((a, b) => regionDistance(one, a) - regionDistance(one, b))[0]).toBe(one);
  expect(
    georegions.toSorted((a, b) => regionDistance("US-WEST", a) - regionDistance("US-WEST", b)).slice(0, 3),
  ).toEqual(["US-WEST", "US-CENTRAL", "US-EAST"]);
  expect(regionDistance("EUROPE", "AFRICA")).toBe(regionDistance("AFRICA", "EUROPE"));
});
