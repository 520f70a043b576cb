/** The table of places: it has every country, and plausible georegions. */
import { iso31661, iso31662 } from "iso-3166";
import { expect, test } from "vitest";
import { nearness, pointsOf } from "../../answer/filters/parts/sphere.ts";
import { georegions } from "../../lib/facts.ts";
import { findPlace, maySubdivide, regionCentres } from "./places.ts";

test("every country of ISO 3166-1 has a place", () => {
  expect([...iso31661.map(({ alpha2 }) => alpha2), "XK"].filter((code) => findPlace(code) === undefined)).toEqual([]);
});

test("every subdivision of the USA and Canada has its own place", () => {
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
])("%s-%s is in %s", (country, subdivision, region) => {
  expect(findPlace(country, subdivision)?.georegion).toBe(region);
});

test("a georegion is nearest to itself, and nearest to US-WEST are the other regions of the USA", () => {
  const centres = pointsOf(georegions.map((region) => regionCentres[region]));
  const nearestTo = (one: number) =>
    [...georegions.keys()].sort((a, b) => nearness(centres, one, centres, b) - nearness(centres, one, centres, a));
  for (const one of georegions.keys()) expect(nearestTo(one)[0]).toBe(one);
  const fromWest = nearestTo(georegions.indexOf("US-WEST")).map((at) => georegions[at]);
  expect(fromWest.slice(0, 3)).toEqual(["US-WEST", "US-CENTRAL", "US-EAST"]);
});
