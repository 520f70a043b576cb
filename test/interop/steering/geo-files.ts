/** Generated geo files: overrides as a table and as JSON, range lists, and MaxMind DBs of places and of AS numbers. */
import { composeMmdb, type MmdbValue } from "../../engine/mmdb.ts";
import type { Draw } from "../differential/draw.ts";
import { type Block, bitsOf, blockOf, print } from "./model/address.ts";
import type { Entry, GeoFile, Stated } from "./model/geo.ts";
import { places, regions } from "./model/places.ts";

export interface WrittenFile {
  readonly name: string;
  readonly content: string | Buffer;
  /** The entries, for the model. */
  readonly file: GeoFile;
}

/** The source address of the test's packets. */
export const loopback = "127.0.0.1";

/** Parts of the address space for which several files have entries. */
const spaces = ["10.0.0.0/8", "20.0.0.0/7", "60.64.0.0/10", "198.51.0.0/16", "2001:db8::/32", "2a00::/16", "2600::/20"];

export const systemNumbers = [64500, 64501, 64510, 65551, 4200000001];

export function generateGeoFiles(draw: Draw): WrittenFile[] {
  const own: Entry = { block: blockOf(`${loopback}/32`), facts: { country: "FR", asn: 64501 } };
  const systems = prefixes(draw, 60).map(({ block }) => ({ block, facts: { asn: draw.pick(systemNumbers) } }));
  return [
    rangeList("ranges.csv", ranges(draw)),
    overrideTable("own.csv", [own, ...overrides(draw, 30)]),
    placeDatabase(
      "city.mmdb",
      prefixes(draw, 70).map(({ block }) => ({ block, facts: spot(draw) })),
    ),
    systemDatabase("asn.mmdb", systems),
    overrideJson("later.json", overrides(draw, 12)),
  ];
}

/** Different prefixes, the wider ones first. */
function prefixes(draw: Draw, count: number): { readonly text: string; readonly block: Block }[] {
  const found = new Map<string, { text: string; block: Block; length: number }>();
  while (found.size < count) {
    const { family, length: from, block } = space(draw);
    const length = Math.min(bitsOf(family), from + draw.number(0, 5) * draw.number(1, 6));
    const text = `${print({ family, value: within(draw, block) })}/${length}`;
    const whole = blockOf(text);
    found.set(`${whole.first} ${length}`, {
      text: `${print({ family, value: whole.first })}/${length}`,
      block: whole,
      length,
    });
  }
  return [...found.values()].sort((a, b) => a.length - b.length);
}

function space(draw: Draw) {
  const text = draw.pick(spaces);
  const block = blockOf(text);
  return { family: block.family, length: Number(text.split("/")[1]), block };
}

/** A random address in a block. */
export function within(draw: Draw, { first, last }: Block): bigint {
  let offset = 0n;
  for (let i = 0; i < 5; i++) offset = (offset << 26n) | BigInt(draw.number(0, 0x3ffffff));
  return first + (offset % (last - first + 1n));
}

const coordinate = (draw: Draw, limit: number) => draw.number(-limit * 1000, limit * 1000) / 1000;

/** A country, often with a part of it and coordinates. */
function spot(draw: Draw): Stated {
  const [country = "", part] = draw.pick(Object.keys(places)).split("-");
  const hasSpot = draw.chance(0.4);
  return {
    country,
    ...(part === undefined ? {} : { subdivision: part }),
    ...(country === "BR" && draw.chance(0.7) ? { subdivision: draw.pick(["SP", "SC"]) } : {}),
    // Western Australia and Washington have the same code
    ...(country === "AU" && draw.chance(0.7) ? { subdivision: "WA" } : {}),
    ...(hasSpot ? { latitude: coordinate(draw, 85), longitude: coordinate(draw, 179) } : {}),
  };
}

function overrides(draw: Draw, count: number): Entry[] {
  return prefixes(draw, count).map(({ block }) => {
    const facts: Stated = {
      ...(draw.chance(0.7) ? spot(draw) : {}),
      ...(draw.chance(0.4) ? { asn: draw.pick(systemNumbers) } : {}),
      ...(draw.chance(0.25) ? { georegion: draw.pick(Object.keys(regions)) } : {}),
    };
    return { block, facts: Object.keys(facts).length > 0 ? facts : { country: "DE" } };
  });
}

/** Ranges one after the other, with gaps, and bounds that are not those of a prefix. */
function ranges(draw: Draw): Entry[] {
  const entries: Entry[] = [];
  for (const text of spaces) {
    const { family, first, last } = blockOf(text);
    const step = (last - first) / 14n;
    for (let at = first + BigInt(draw.number(0, 3000)); at + step <= last; at += step) {
      if (draw.chance(0.2)) continue;
      const end = at + (draw.chance(0.3) ? step - 1n : within(draw, { family, first: 0n, last: step - 1n }));
      const facts: Stated = {
        ...spot(draw),
        ...(draw.chance(0.2) ? { asn: draw.pick(systemNumbers) } : {}),
        ...(draw.chance(0.1) ? { georegion: draw.pick(Object.keys(regions)) } : {}),
      };
      entries.push({ block: { family, first: at, last: end }, facts });
    }
  }
  return entries;
}

const columns = ({ country, subdivision, latitude, longitude, asn, georegion }: Stated) =>
  [country, subdivision, latitude, longitude, asn, georegion].map((value) => value ?? "").join(",");

/** The block as a prefix. */
function prefixOf({ family, first, last }: Block): string {
  const size = (last - first + 1n).toString(2).length - 1;
  return `${print({ family, value: first })}/${bitsOf(family) - size}`;
}

const rangeList = (name: string, entries: readonly Entry[]): WrittenFile => ({
  name,
  content: entries
    .map(({ block, facts }) => {
      const [first, last] = [block.first, block.last].map((value) => print({ family: block.family, value }));
      return `${first},${last},${columns(facts)}\n`;
    })
    .join(""),
  file: { kind: "others", entries },
});

const overrideTable = (name: string, entries: readonly Entry[]): WrittenFile => ({
  name,
  content: `prefix,country,subdivision,latitude,longitude,asn,georegion\n${entries
    .map(({ block, facts }) => `${prefixOf(block)},${columns(facts)}\n`)
    .join("")}`,
  file: { kind: "overrides", entries },
});

const overrideJson = (name: string, entries: readonly Entry[]): WrittenFile => ({
  name,
  content: JSON.stringify(Object.fromEntries(entries.map(({ block, facts }) => [prefixOf(block), facts]))),
  file: { kind: "overrides", entries },
});

function placeDatabase(name: string, entries: readonly Entry[]): WrittenFile {
  const recordOf = ({ country = "", subdivision, latitude, longitude }: Stated): MmdbValue => ({
    country: { iso_code: country },
    ...(subdivision === undefined ? {} : { subdivisions: [{ iso_code: subdivision }] }),
    ...(latitude === undefined || longitude === undefined
      ? {}
      : { location: { latitude: { double: latitude }, longitude: { double: longitude } } }),
  });
  return database(name, entries, recordOf);
}

const systemDatabase = (name: string, entries: readonly Entry[]) =>
  database(name, entries, ({ asn = 0 }) => ({ autonomous_system_number: asn }));

function database(name: string, entries: readonly Entry[], recordOf: (facts: Stated) => MmdbValue): WrittenFile {
  const networks = Object.fromEntries(entries.map(({ block, facts }) => [prefixOf(block), recordOf(facts)]));
  // the format has IPv4 within IPv6, below ::/96
  const inside = entries
    .filter(({ block }) => block.family === 4)
    .map((entry): Entry => ({ ...entry, block: { ...entry.block, family: 6 } }));
  return { name, content: composeMmdb(networks), file: { kind: "others", entries: [...entries, ...inside] } };
}
