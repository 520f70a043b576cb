/** Overrides: which prefix wins, and which entries are refused. */
import { describe, expect, test } from "vitest";
import { ask, geoOf, known } from "../../../test/engine/geo.ts";

test("the longest prefix wins, fact by fact, in any order of lines", async () => {
  const geo = await geoOf({ "own.csv": "10.1.2.0/24,,,,,64502\n10.0.0.0/8,FR,,,,64500\n10.1.0.0/16,FR,IDF" });
  expect(known(geo, "10.9.9.9")).toMatchObject({ country: "FR", asn: 64500 });
  expect(known(geo, "10.1.9.9")).toMatchObject({ country: "FR", subdivision: "IDF", asn: 64500 });
  expect(known(geo, "10.1.2.9")).toMatchObject({ country: "FR", subdivision: "IDF", asn: 64502 });
  expect(ask(geo, "10.128.0.1").lengths.country).toBe(9);
});

test("a narrower prefix in another country does not inherit the wider prefix's place", async () => {
  const geo = await geoOf({ "own.csv": "10.0.0.0/8,US,NY,40.7,-74,64500,US-WEST\n10.1.0.0/16,DE\n10.2.0.0/16,,,1,2" });
  expect(known(geo, "10.1.0.1")).toEqual({
    country: "DE",
    latitude: 51,
    longitude: 9,
    georegion: "EUROPE",
    asn: 64500,
  });
  expect(known(geo, "10.2.0.1")).toMatchObject({ country: "US", subdivision: "NY", latitude: 1, georegion: "US-WEST" });
});

test("a prefix can be one address, all addresses, IPv6 or IPv4-mapped", async () => {
  const geo = await geoOf({
    "own.csv": "prefix,country\n0.0.0.0/0,FR\n192.0.2.1,DE\n2001:db8::/32,JP\n::ffff:10.0.0.0/104,AU",
  });
  expect(["192.0.2.1", "192.0.2.0", "10.1.1.1", "2001:db8::1"].map((address) => ask(geo, address).country)).toEqual([
    "DE",
    "FR",
    "AU",
    "JP",
  ]);
});

test("JSON gives the same facts", async () => {
  const overrides = {
    "192.0.2.0/24": { country: "ca", subdivision: "CA-QC", asn: 64500 },
    "2001:db8::/32": { latitude: -33.5, longitude: "151.25", georegion: "ASIAPAC" },
  };
  const geo = await geoOf({ own: JSON.stringify(overrides) });
  expect(known(geo, "192.0.2.1")).toEqual({
    country: "CA",
    subdivision: "QC",
    latitude: 52,
    longitude: -72,
    georegion: "US-EAST",
    asn: 64500,
  });
  expect(known(geo, "2001:db8::1")).toEqual({ latitude: -33.5, longitude: 151.25, georegion: "ASIAPAC" });
});

describe("a file with a bad entry is refused, with the line of the entry", () => {
  test.each([
    ["10.0.0.1/8,FR", '"10.0.0.1/8" is not a prefix such as 192.0.2.0/24, or has bits set beyond its length'],
    ["10.0.0.0/33,FR", '"10.0.0.0/33" is not a prefix'],
    ["10.0.0.0/8/8,FR", '"10.0.0.0/8/8" is not a prefix'],
    ["10.0.0.0/8,", "10.0.0.0/8 states no facts"],
    ["192.0.2.0/24,DE", "the prefix repeats line 1"],
    ["10.0.0.0/8,,BY", "subdivision BY needs a country"],
    ["10.0.0.0/8,,,,,,OCEANIA", '"OCEANIA" is not one of US-EAST, US-CENTRAL'],
    ["10.0.0.0/8,FR,,,,,,x", "the line has 8 fields, but only 7 columns are known"],
  ])("%s", async (line, message) => {
    await expect(geoOf({ "own.csv": `192.0.2.0/24,FR\n${line}` })).rejects.toThrow(`own.csv:2: ${message}`);
  });

  test.each([
    [
      '{\n"10.0.0.0/8": {"country": "FR"},\n"11.0.0.0/8": {"land": "FR"}}',
      '3: 11.0.0.0/8: "land" is not one of country',
    ],
    ['{\n"10.0.0.0/8": {"asn": [1]}}', "2: 10.0.0.0/8: asn must be text or a number"],
    ['{\n\n"10.0.0.0/8": "FR"}', "3: 10.0.0.0/8 must have an object of facts"],
    ['{\n"10.0.0.0/8": {"country": "FR"},\n}', "3: not JSON"],
    ["[]", "1: must be an object of prefixes"],
  ])("%s", async (text, message) => {
    await expect(geoOf({ "own.json": text })).rejects.toThrow(`own.json:${message}`);
  });
});
