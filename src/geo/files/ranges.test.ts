/** Range lists: columns, addresses, and refused lines. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, geoOf, known } from "../../../test/engine/geo.ts";

test("ranges of IPv4 and IPv6 that are not prefixes are read with all columns", async () => {
  const list = `
    # comment, then a line without coordinates
    192.0.2.3,192.0.2.8,FR,IDF
    "198.51.100.0", "198.51.100.0" , "us", "US-WA",,,"AS64500"
    2001:db8::5,2001:db8::ffff,JP,13,35.5,139.5,64501
  `;
  const geo = await geoOf({ "list.csv": list.replaceAll("\n", "\r\n") });
  expect(["2", "3", "8", "9"].map((host) => ask(geo, `192.0.2.${host}`).country)).toEqual([
    undefined,
    "FR",
    "FR",
    undefined,
  ]);
  expect(known(geo, "198.51.100.0")).toMatchObject({ country: "US", subdivision: "WA", asn: 64500 });
  expect(ask(geo, "2001:db8::4").country).toBeUndefined();
  expect(known(geo, "2001:db8::ff:1")).toEqual({});
  expect(known(geo, "2001:db8::fff1")).toEqual({
    country: "JP",
    subdivision: "13",
    latitude: 35.5,
    longitude: 139.5,
    asn: 64501,
    georegion: "ASIAPAC",
  });
});

test("a header defines the columns; unknown columns are ignored", async () => {
  const geo = await geoOf({ "list.csv": 'asn,name,Start,End\n64500,"Example, ""Inc.""",192.0.2.0,192.0.2.255' });
  expect(known(geo, "192.0.2.1")).toEqual({ asn: 64500 });
});

test("codes of vendors for unknown countries state nothing", async () => {
  const geo = await geoOf({ "list.csv": "10.0.0.0,10.255.255.255,ZZ\n11.0.0.0,11.0.0.255,-\n12.0.0.0,12.0.0.1,EU" });
  expect(["10.1.1.1", "11.0.0.1", "12.0.0.1"].map((address) => known(geo, address))).toEqual([{}, {}, {}]);
});

test("an IPv4-mapped range is an IPv4 range", async () => {
  const geo = await geoOf({ "list.csv": "::ffff:192.0.2.0,::ffff:192.0.2.255,FR" });
  expect(ask(geo, "192.0.2.9")).toMatchObject({ country: "FR", lengths: { country: 24 } });
});

test("any range contains exactly its addresses, and lengths are never too short", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(0xffff),
      fc.nat(0xffff),
      fc.array(fc.nat(0xffff), { minLength: 1 }),
      async (a, b, hosts) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        const text = (host: number) => `10.0.${host >> 8}.${host & 255}`;
        const geo = await geoOf({ "list.csv": `${text(first)},${text(last)},FR` });
        for (const host of [...hosts, first, last]) {
          const { country, lengths } = ask(geo, text(host));
          expect(country).toBe(host >= first && host <= last ? "FR" : undefined);
          const size = 2 ** (32 - lengths.country);
          const low = Math.floor((0x0a000000 + host) / size) * size - 0x0a000000;
          const inside = low >= first && low + size - 1 <= last;
          expect(inside || low > last || low + size - 1 < first).toBe(true);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test("a range that states no facts is accepted", async () => {
  const geo = await geoOf({ "list.csv": "10.0.0.0,10.0.0.255,FR\n192.0.2.1,192.0.2.9" });
  expect(known(geo, "192.0.2.1")).toEqual({});
});

describe("a file with a bad line is refused, with the line's number", () => {
  test.each([
    ["192.0.2.0,192.0.2.255,UK", '"UK" is not a country code of ISO 3166-1'],
    ["192.0.2.0,192.0.2.256,DE", 'end "192.0.2.256" is not an IP address'],
    ["192.0.02.0,192.0.2.1,DE", 'start "192.0.02.0" is not an IP address'],
    ["16777216,16777471,AU", 'start "16777216" is not an IP address'],
    ["192.0.2.9,192.0.2.1,DE", "192.0.2.9 comes after 192.0.2.1"],
    ["192.0.2.9,2001:db8::,DE", "192.0.2.9 and 2001:db8:: are of different address families"],
    ["192.0.2.1,192.0.2.9,DE,BY,91,0", 'latitude "91" is not a number from -90 to 90'],
    ["192.0.2.1,192.0.2.9,DE,BY,1e1,0", 'latitude "1e1" is not a number from -90 to 90'],
    ["192.0.2.1,192.0.2.9,DE,,1,", "latitude and longitude must be given together"],
    ["192.0.2.1,192.0.2.9,,BY", "subdivision BY needs a country"],
    ["192.0.2.1,192.0.2.9,US,XX", '"XX" is not a subdivision of US'],
    ["192.0.2.1,192.0.2.9,DE,US-BY", '"US-BY" is not a subdivision code of ISO 3166-2'],
    ["192.0.2.1,192.0.2.9,DE,,,,ASX", '"ASX" is not an AS number'],
    ["192.0.2.1,192.0.2.9,DE,,,,4294967296", '"4294967296" is not an AS number'],
    ["192.0.2.1,192.0.2.9,DE,,,,1,EUROPE,more", "the line has 9 fields, but only 8 columns are known"],
    ['192.0.2.1,192.0.2.9,"DE', "a quoted field has no closing quote, or text after it"],
    ['192.0.2.1,192.0.2.9,"DE"x', "a quoted field has no closing quote, or text after it"],
    ["10.0.0.255,10.0.1.0,DE", "the range overlaps a range of an earlier line"],
    ["9.0.0.0,11.0.0.0,DE", "the range overlaps a range of an earlier line"],
  ])("%s", async (line, message) => {
    const loading = geoOf({ "list.csv": `# list\n10.0.0.0,10.0.0.255,FR\n${line}` });
    await expect(loading).rejects.toThrow(`list.csv:3: ${message}`);
  });

  test("a header that lacks or repeats a column", async () => {
    await expect(geoOf({ "list.csv": "start,stop,country" })).rejects.toThrow('list.csv:1: column "end" is missing');
    await expect(geoOf({ "list.csv": "start,end,end" })).rejects.toThrow('list.csv:1: column "end" is repeated');
  });
});
