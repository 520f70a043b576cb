/** MaxMind DB files: look-ups compared with mmdb-lib, the record layouts of vendors, and damaged files. */
import fc from "fast-check";
import { Reader } from "mmdb-lib";
import { describe, expect, test } from "vitest";
import { ask, geoOf, known } from "../../../test/engine/geo.ts";
import { composeMmdb, type MmdbValue } from "../../../test/engine/mmdb.ts";
import { runs } from "../../../test/runs.ts";
import { Problem } from "../../lib/problem.ts";
import { scanAddress } from "../facts/address.ts";
import { Geo } from "../geo.ts";
import { parseMmdb } from "./mmdb.ts";

const paris = {
  city: { geoname_id: 2988507, names: { en: "Paris", ja: "\u30d1\u30ea" } },
  continent: { code: "EU", names: { en: "Europe" } },
  country: { geoname_id: 3017382, is_in_european_union: true, iso_code: "FR", names: { en: "France" } },
  location: {
    accuracy_radius: 20,
    latitude: { double: 48.8566 },
    longitude: { double: 2.3522 },
    time_zone: "Europe/Paris",
  },
  subdivisions: [{ iso_code: "IDF", names: { en: "\u00cele-de-France" } }, { iso_code: "75" }],
};
const tokyo = { country: { iso_code: "JP" }, location: { latitude: { double: 35.7 }, longitude: { double: 139.7 } } };
const networks: Record<string, MmdbValue> = {
  "198.51.0.0/16": paris,
  "198.51.100.0/24": tokyo,
  "198.51.100.77/32": paris,
  "203.0.113.128/25": tokyo,
  "2001:db8::/32": tokyo,
  "2001:db8:1:2::/64": paris,
};

/** Country and prefix length as mmdb-lib finds them. */
const oracle = (octets: Buffer, address: string) => {
  const [record, length] = new Reader<never>(octets).getWithPrefixLength(address);
  return [record?.["country"]?.["iso_code"], length];
};

describe("MaxMind DB", () => {
  for (const recordSize of [24, 28, 32] as const) {
    for (const ipVersion of [4, 6] as const) {
      const held = Object.entries(networks).filter(([prefix]) => ipVersion === 6 || !prefix.includes(":"));
      const octets = composeMmdb(Object.fromEntries(held), { recordSize, ipVersion });

      test(`records of ${recordSize} bits, IPv${ipVersion}: look-ups give the same results and depths as mmdb-lib`, async () => {
        const geo = await geoOf({ "a.mmdb": octets });
        const near = fc.constantFrom("198.51.", "198.51.100.", "203.0.113.", "10.", "192.168.");
        const ipv4 = fc.tuple(near, fc.ipV4()).map(([head, tail]) => {
          const parts = head.split(".").slice(0, -1);
          return [...parts, ...tail.split(".").slice(parts.length)].join(".");
        });
        const ipv6 = fc.oneof(fc.ipV6(), fc.constantFrom("2001:db8::1", "2001:db8:1:2::9", "2001:db8:1:3::"));
        fc.assert(
          fc.property(ipVersion === 4 ? ipv4 : fc.oneof(ipv4, ipv6), (address) => {
            if (address.includes(":") && scanAddress(address)?.length !== 16) return;
            const { country, lengths } = ask(geo, address);
            expect([country, lengths.country]).toEqual(oracle(octets, address));
          }),
          runs(300),
        );
      });
    }
  }

  test("a City record gives country, first subdivision and coordinates", async () => {
    const geo = await geoOf({ "city.mmdb": composeMmdb(networks) });
    expect(known(geo, "198.51.7.1")).toEqual({
      country: "FR",
      subdivision: "IDF",
      latitude: 48.8566,
      longitude: 2.3522,
      georegion: "EUROPE",
    });
  });

  test("the longest of nested networks is used, with its length", async () => {
    const geo = await geoOf({ "city.mmdb": composeMmdb(networks) });
    expect(ask(geo, "198.51.100.77")).toMatchObject({ country: "FR", lengths: { country: 32 } });
    expect(ask(geo, "198.51.100.76")).toMatchObject({ country: "JP", lengths: { country: 32 } });
    expect(ask(geo, "198.51.100.200")).toMatchObject({ country: "JP", lengths: { country: 25 } });
    expect(ask(geo, "198.51.1.1")).toMatchObject({ country: "FR", lengths: { country: 18 } });
  });

  test("an IPv4-mapped address has the facts of its IPv4 address, 96 bits deeper", async () => {
    const geo = await geoOf({ "city.mmdb": composeMmdb(networks) });
    expect(ask(geo, "::ffff:198.51.100.200")).toMatchObject({ country: "JP", lengths: { country: 121 } });
    expect(ask(geo, "::ffff:198.51.100.77")).toMatchObject({ country: "FR", lengths: { country: 128 } });
  });

  test("an IPv4 file has no facts about IPv6 addresses", async () => {
    const geo = await geoOf({ "v4.mmdb": composeMmdb({ "0.0.0.0/1": tokyo }, { ipVersion: 4 }) });
    expect(ask(geo, "2001:db8::1")).toMatchObject({ country: undefined, lengths: { country: 0 } });
  });

  test("an IPv6 file without IPv4 networks has no facts about IPv4 addresses", async () => {
    const geo = await geoOf({ "v6.mmdb": composeMmdb({ "2001:db8::/32": tokyo }) });
    expect(ask(geo, "192.0.2.1")).toMatchObject({ country: undefined, lengths: { country: 0 } });
  });

  test.each([
    ["ASN", { autonomous_system_number: 64500, autonomous_system_organization: "Example" }, { asn: 64500 }],
    ["an AS number above 2^31", { autonomous_system_number: 4_200_000_001 }, { asn: 4_200_000_001 }],
    [
      "flat text",
      { country: "CA", region_code: "QC", lat: "46.5", lng: "-71.25", asn: "AS64501" },
      { country: "CA", subdivision: "QC", latitude: 46.5, longitude: -71.25, georegion: "US-EAST", asn: 64501 },
    ],
    [
      "a name besides a code",
      { country_code: "jp", country: "Japan", latitude: { double: 35 }, longitude: 139 },
      { country: "JP", latitude: 35, longitude: 139, georegion: "ASIAPAC" },
    ],
    [
      "Enterprise",
      { country: { iso_code: "XK" }, traits: { autonomous_system_number: 7 } },
      { country: "XK", latitude: 42.5, longitude: 21, georegion: "EUROPE", asn: 7 },
    ],
    [
      "invalid values",
      { country: { iso_code: "A1" }, subdivisions: [], location: { latitude: { double: 91 }, longitude: 0 }, asn: 0 },
      {},
    ],
    [
      "an unknown state",
      { country: { iso_code: "US" }, subdivisions: [{ iso_code: "QQ" }] },
      { country: "US", latitude: 38, longitude: -97, georegion: "US-CENTRAL" },
    ],
    ["a record that is not a map", "text", {}],
  ])("the facts of a record: %s", async (_, record, facts) => {
    const geo = await geoOf({ "a.mmdb": composeMmdb({ "192.0.2.0/24": record as MmdbValue }) });
    expect(known(geo, "192.0.2.1")).toEqual(facts);
  });
});

describe("a damaged MaxMind DB", () => {
  const whole = composeMmdb(networks, { recordSize: 24 });

  test("is refused if it is cut off anywhere", () => {
    for (let length = 0; length < whole.length; length += 7) {
      expect(() => parseMmdb(whole.subarray(0, length))).toThrow(Problem);
    }
  });

  test("is refused if its tree has a cycle", () => {
    const circle = Buffer.from(whole);
    circle.fill(0, 0, 6);
    expect(() => parseMmdb(circle)).toThrow("its search tree has a cycle");
  });

  test("is refused if its tree is deeper than its addresses are long", () => {
    const deep = composeMmdb({ "2001:db8::/33": tokyo, "192.0.2.0/24": paris });
    const ipVersion = deep.lastIndexOf("ip_version") + "ip_version".length + 1;
    expect(deep[ipVersion]).toBe(6);
    deep[ipVersion] = 4;
    expect(() => parseMmdb(deep)).toThrow("its search tree is deeper than 32 levels");
  });

  test("is refused if its tree points beyond the data", () => {
    const beyond = Buffer.from(whole);
    beyond.writeUIntBE(0xfffff0, 0, 3);
    expect(() => parseMmdb(beyond)).toThrow("its data section cannot be read at octet");
  });

  test("is refused if its record size is unknown", () => {
    expect(() => parseMmdb(composeMmdb(networks, { recordSize: 20 as 24 }))).toThrow(
      "metadata: record_size is 20, which is not 24 or 28 or 32",
    );
  });

  test("gives a Problem or a tree in which every look-up ends, for random octets and random damage", () => {
    const random = fc.uint8Array({ maxLength: 400 }).map((octets) => Buffer.from(octets));
    const marked = random.map((octets) => Buffer.concat([octets, whole.subarray(whole.length - 250)]));
    const spots = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 });
    const damaged = spots.map((list) => {
      const octets = Buffer.from(whole);
      for (const [at, octet] of list) octets[at] = octet;
      return octets;
    });
    fc.assert(
      fc.property(fc.oneof(random, marked, damaged), fc.array(fc.ipV4(), { maxLength: 5 }), (octets, addresses) => {
        const tree = parseOrProblem(octets);
        if (tree instanceof Problem) return;
        const file = { path: "", modified: 0, size: 0, inode: 0 };
        const geo = new Geo({ sources: [{ ...tree, file }] });
        for (const address of addresses) expect(ask(geo, address).lengths.country).toBeLessThanOrEqual(32);
        expect(ask(geo, "2001:db8::1").lengths.country).toBeLessThanOrEqual(128);
      }),
      runs(3000),
    );
  });
});

function parseOrProblem(octets: Buffer) {
  try {
    return parseMmdb(octets);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
