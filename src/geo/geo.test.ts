/** Facts about clients: joined from several files, with prefix lengths, and cached. */
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ask, geoFiles, geoOf, known } from "../../test/engine/geo.ts";
import { composeMmdb } from "../../test/engine/mmdb.ts";
import { runs } from "../../test/runs.ts";
import type { GeoData } from "./facts/data.ts";
import { loadGeo } from "./files/load.ts";
import { Geo } from "./geo.ts";

const city = composeMmdb({
  "198.51.0.0/16": { country: { iso_code: "US" }, subdivisions: [{ iso_code: "CA" }] },
  "198.51.100.0/24": {
    country: { iso_code: "US" },
    subdivisions: [{ iso_code: "NY" }],
    location: { latitude: { double: 40.7 }, longitude: { double: -74 } },
  },
});
const asn = composeMmdb({ "198.51.0.0/16": { autonomous_system_number: 64500 }, "198.51.100.64/26": { asn: 64501 } });

test("without files there are no facts, and nothing depends on the address", async () => {
  const geo = await geoOf({});
  const nothing = { country: 0, subdivision: 0, coordinates: 0, asn: 0, georegion: 0 };
  expect(ask(geo, "192.0.2.1").lengths).toEqual(nothing);
  expect(known(geo, "2001:db8::1")).toEqual({});
});

test("facts of several files are joined, and each has the prefix length of its look-ups", async () => {
  const geo = await geoOf({ "city.mmdb": city, "asn.mmdb": asn });
  expect(known(geo, "198.51.100.65")).toEqual({
    country: "US",
    subdivision: "NY",
    latitude: 40.7,
    longitude: -74,
    georegion: "US-EAST",
    asn: 64501,
  });
  expect(ask(geo, "198.51.100.65").lengths).toEqual({
    country: 24,
    subdivision: 24,
    coordinates: 24,
    georegion: 24,
    asn: 26,
  });
});

test("the first file with a fact is used; a later file adds missing facts, and both affect the length", async () => {
  const geo = await geoOf({
    "first.csv": "192.0.2.0,192.0.2.127,FR",
    "second.csv": "192.0.2.0,192.0.2.255,DE\n198.51.100.0,198.51.100.255,DE",
  });
  expect(ask(geo, "192.0.2.1")).toMatchObject({ country: "FR", lengths: { country: 25 } });
  expect(ask(geo, "192.0.2.200")).toMatchObject({ country: "DE", lengths: { country: 25 } });
  expect(ask(geo, "198.51.100.1")).toMatchObject({ country: "DE", lengths: { country: 24 } });
});

test("a file that never states a fact does not affect that fact's length", async () => {
  const geo = await geoOf({ "asn.mmdb": asn, "country.csv": "198.51.0.0,198.51.255.255,FR" });
  expect(ask(geo, "198.51.100.65").lengths).toMatchObject({ country: 16, georegion: 16, asn: 26 });
});

test("overrides take precedence in any position, and other facts are from the files", async () => {
  const geo = await geoOf({ "city.mmdb": city, "asn.mmdb": asn, "own.csv": "198.51.0.0/16,,,,,65000" });
  expect(ask(geo, "198.51.100.65")).toMatchObject({ subdivision: "NY", asn: 65000, lengths: { country: 24, asn: 16 } });
});

test("a place stays consistent: subdivision and coordinates of another country are ignored", async () => {
  const geo = await geoOf({ "city.mmdb": city, "own.csv": "198.51.100.0/24,DE" });
  expect(known(geo, "198.51.100.1")).toEqual({ country: "DE", latitude: 51, longitude: 9, georegion: "EUROPE" });
});

test("coordinates of another subdivision are ignored too; if only the country is overridden, the file's coordinates are used", async () => {
  const geo = await geoOf({ "city.mmdb": city, "own.csv": "198.51.100.0/25,US,WA\n198.51.100.128/25,US" });
  expect(known(geo, "198.51.100.1")).toMatchObject({ subdivision: "WA", latitude: 47.5, georegion: "US-WEST" });
  expect(known(geo, "198.51.100.129")).toMatchObject({ subdivision: "NY", latitude: 40.7, georegion: "US-EAST" });
});

test("the operator's georegion takes precedence over the country's", async () => {
  const geo = await geoOf({ "city.mmdb": city, "own.csv": "prefix,georegion\n198.0.0.0/8,asiapac" });
  expect(ask(geo, "198.51.1.1")).toMatchObject({ georegion: "ASIAPAC", subdivision: "CA", lengths: { georegion: 8 } });
});

test("the georegion depends on the subdivision only if the country spans regions", async () => {
  const files = {
    "own.csv": "192.0.0.0/8,FR\n198.0.0.0/8,US",
    "list.csv": "192.0.2.0,192.0.2.255,FR,IDF\n198.51.100.0,198.51.100.255,US,NY",
  };
  const geo = await geoOf(files);
  expect(ask(geo, "192.0.2.1").lengths).toMatchObject({ country: 8, subdivision: 24, georegion: 8 });
  expect(ask(geo, "198.51.100.1").lengths).toMatchObject({ country: 8, subdivision: 24, georegion: 24 });
});

test("look-ups in a prefix return the same object, except where the tree is deeper", async () => {
  const geo = await geoOf({ "asn.mmdb": asn });
  expect(ask(geo, "198.51.7.1")).toBe(ask(geo, "198.51.7.255"));
  expect(ask(geo, "198.51.100.65")).toMatchObject({ asn: 64501 });
  expect(ask(geo, "198.51.100.1")).toMatchObject({ asn: 64500 });
  expect(ask(geo, "198.51.100.65")).toBe(ask(geo, "198.51.100.65"));
});

test("cached facts equal the files' facts, even with more prefixes than the cache can hold", async () => {
  const lines = Array.from({ length: 256 }, (_, at) => `10.${at}.0.0,10.${at}.77.${at},,,,,${at + 1}`);
  const data = await loadGeo(geoFiles({ "asn.csv": `${lines.join("\n")}\n2001:db8::,2001:db8:0:7::ff,,,,,9` }));
  const geo = new Geo(data);
  for (let at = 0; at < 60_000; at++) ask(geo, `10.${at >> 8}.${at & 255}.1`);
  const ipv6 = fc
    .tuple(fc.nat(20), fc.nat(511))
    .map(([net, host]) => `2001:db8:0:${net.toString(16)}::${host.toString(16)}`);
  const ipv4 = fc.ipV4().map((address) => address.replace(/^\d+/, "10"));
  fc.assert(
    fc.property(fc.array(fc.oneof(ipv4, ipv6), { minLength: 1, maxLength: 20 }), (addresses) => {
      for (const address of addresses) expect(ask(geo, address)).toEqual(ask(new Geo(data), address));
    }),
    runs(60),
  );
});

test("all addresses that share a prefix of a fact's length have the same fact", async () => {
  const geo = await geoOf({
    "city.mmdb": city,
    "asn.mmdb": asn,
    "own.csv": "198.51.100.0/22,,,,,7\n198.51.101.8/29,FR",
  });
  const near = fc
    .tuple(fc.integer({ min: 98, max: 103 }), fc.nat(255))
    .map(([c, d]) => Uint8Array.from([198, 51, c, d]));
  fc.assert(
    fc.property(
      near,
      fc.constantFrom("country", "asn", "georegion", "subdivision"),
      fc.nat(0xffffffff),
      (octets, fact, noise) => {
        const facts = geo.find(octets, 0, 4);
        const host = facts.lengths[fact] === 32 ? 0 : noise >>> facts.lengths[fact];
        const other = octets.map((octet, at) => octet ^ ((host >>> (24 - at * 8)) & 255));
        expect(geo.find(other, 0, 4)[fact]).toEqual(facts[fact]);
        expect(geo.find(other, 0, 4).lengths[fact]).toEqual(facts.lengths[fact]);
      },
    ),
  );
});

test("data can be passed to another thread without a copy of the memory", async () => {
  const data = await loadGeo(geoFiles({ "city.mmdb": city, "own.csv": "192.0.2.0/24,FR" }));
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(data);
  const posted: GeoData = receiveMessageOnPort(port2)?.message;
  port1.close();
  expect(known(new Geo(posted), "192.0.2.1")).toMatchObject({ country: "FR" });
  const words = new Int32Array(data.sources[0]!.tree.records);
  words[words.length - 1] = 7;
  expect(new Int32Array(posted.sources[0]!.tree.records)).toEqual(words);
});
