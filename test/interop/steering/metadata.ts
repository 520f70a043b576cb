/** Generated metadata: every key in all the forms in which clients write it. */
import type { Draw } from "../differential/draw.ts";
import { systemNumbers, within } from "./geo-files.ts";
import { type Block, bitsOf, print } from "./model/address.ts";
import { places, regions } from "./model/places.ts";

export interface Sources {
  /** Blocks in the geo files. */
  readonly blocks: readonly Block[];
  readonly feeds: readonly string[];
}

type Make = (draw: Draw, sources: Sources) => unknown;

const countries = Object.keys(places).filter((code) => code.length === 2);
const partsOf = (country: string) =>
  Object.keys(places).flatMap((code) => (code.startsWith(`${country}-`) ? code.slice(3) : []));

/** A list, one element without it, or an empty list. */
function listed<T>(draw: Draw, list: readonly T[], most: number): unknown {
  if (draw.chance(0.15)) return draw.pick(list);
  return draw.chance(0.04) ? [] : draw.some(list, most);
}

const spelt = (draw: Draw, codes: readonly string[]) =>
  draw.chance(0.1) ? codes.map((code) => code.toLowerCase()) : codes;

/** A number, as a number or as text. */
const amount = (most: number, steps: number) => (draw: Draw) => {
  const number = draw.number(0, most * steps) / steps;
  return draw.chance(0.2) ? String(number) : number;
};

/** A prefix around an address of the geo files. */
function prefix(draw: Draw, { blocks }: Sources): string {
  const block = draw.pick(blocks);
  const address = { family: block.family, value: within(draw, block) };
  const bits = bitsOf(block.family);
  if (draw.chance(0.05)) return print(address);
  return `${print(address)}/${draw.pick(block.family === 4 ? [6, 8, 10, 13, 16, 20, 24, 29, bits] : [12, 20, 32, 40, 48, 56, 64, bits])}`;
}

/** A prefix within one of a few networks, so that prefixes often contain each other. */
const smallPrefix = (draw: Draw) =>
  `192.0.${draw.pick([2, 3, 4])}.${draw.number(0, 31) * 8}/${draw.pick([29, 29, 30, 31, 32])}`;

export const makes = {
  up: (draw) => draw.pick([true, true, 1, "1", "true", false, 0, "0", "false"]),
  country: (draw) => listed(draw, spelt(draw, countries), 4),
  us_state: (draw) => listed(draw, spelt(draw, partsOf("US")), 3),
  ca_province: (draw) => listed(draw, spelt(draw, partsOf("CA")), 3),
  subdivisions: (draw) => ({
    ...(draw.chance(0.5) ? { US: spelt(draw, draw.some(partsOf("US"), 2)) } : {}),
    ...(draw.chance(0.6) ? { [draw.pick(["BR", "br"])]: draw.some(["SP", "SC", "RJ"], 2) } : {}),
    ...(draw.chance(0.2) ? { AU: ["WA"] } : {}),
    ...(draw.chance(0.2) ? { DZ: [] } : {}),
  }),
  georegion: (draw) => listed(draw, spelt(draw, Object.keys(regions)), 3),
  asn: (draw) => listed<number | string>(draw, draw.chance(0.5) ? systemNumbers.map(String) : [...systemNumbers, 0], 3),
  ip_prefixes: (draw, sources) =>
    draw.chance(0.04) ? [] : Array.from({ length: draw.number(1, 4) }, () => prefix(draw, sources)),
  weight: (draw) => (draw.chance(0.2) ? draw.pick([0, "0"]) : amount(10, 2)(draw)),
  priority: amount(3, 1),
  cost: amount(2, 2),
  loadavg: amount(5, 2),
  connections: amount(5, 1),
  requests: amount(5, 1),
  low_watermark: amount(4, 2),
  high_watermark: amount(6, 2),
  latitude: (draw) => draw.number(-90_000, 90_000) / 1000,
  longitude: (draw) => (draw.chance(0.2) ? String(draw.number(-179, 179)) : draw.number(-179_000, 179_000) / 1000),
  additional_metadata: (draw) => [{ [draw.pick(["pop", "rack", "é"])]: draw.number(1, 99) }],
  note: (draw) => draw.pick(["", "pool:a fallback:b"]),
} as const satisfies Readonly<Record<string, Make>>;

export type MetaName = keyof typeof makes;

/** Prefixes from which answers are made. */
export const smallPrefixes = (draw: Draw) => Array.from({ length: draw.number(1, 2) }, () => smallPrefix(draw));

/** Metadata that a filter reads. */
export const inputs: Readonly<Record<string, readonly MetaName[]>> = {
  up: ["up"],
  shed_load: ["loadavg", "connections", "requests", "low_watermark", "high_watermark"],
  geofence_country: ["country", "us_state", "ca_province", "subdivisions"],
  geofence_regional: ["georegion"],
  netfence_asn: ["asn"],
  netfence_prefix: ["ip_prefixes"],
  geotarget_country: ["country", "us_state", "ca_province", "subdivisions"],
  geotarget_regional: ["georegion"],
  geotarget_latlong: ["latitude", "longitude"],
  weighted_shuffle: ["weight"],
  weighted_sticky: ["weight"],
  priority: ["priority"],
  cost: ["cost"],
  ipv4_prefix_shuffle: ["ip_prefixes"],
  additional_metadata: ["additional_metadata"],
};
