/** A steered RRset in the image: behind its records stands the recipe of its chain, and a number that is its identity. */
import { invalid } from "../../lib/problem.ts";
import { isObject, type Recipe } from "../recipe.ts";
import { rrsetOctetsMask, rrsetSteered } from "./layout.ts";
import type { Rrset } from "./rrset.ts";
import type { ImageRecord } from "./source.ts";
import type { RrsetView } from "./view.ts";

/** Of which records the answers are: twins share one. */
export interface StoredRecipe extends Recipe {
  readonly records: readonly number[];
}

/** Octets of the recipe (4), then the number (6). */
const tailOctets = 10;

/** Puts the recipe behind the records of `rrset`; answer `i` is record `records[i]` of it. */
export function withRecipe(rrset: Rrset, record: ImageRecord, records: readonly number[]): Rrset {
  const recipe: StoredRecipe = {
    type: record.type,
    answers: record.answers.map(({ meta, region }) => ({ meta, region })),
    meta: record.meta,
    regions: record.regions,
    filters: record.filters ?? [],
    use_client_subnet: record.use_client_subnet ?? true,
    all_down: record.all_down,
    live_guard: record.live_guard,
    records,
  };
  const json = new TextEncoder().encode(JSON.stringify(recipe));
  const length = rrset.octets.length + json.length + tailOctets;
  if (length > rrsetOctetsMask)
    throw invalid(`a record of ${length} octets with its metadata is too long to be served`);
  const octets = new Uint8Array(length);
  octets.set(rrset.octets);
  octets.set(json, rrset.octets.length);
  new DataView(octets.buffer).setUint32(length - tailOctets, json.length);
  return { ...rrset, flags: rrset.flags | rrsetSteered, octets };
}

/** Gives a steered RRset its number: no other in the image may ever have it. */
export function setNumber({ octets }: Rrset, number: number): void {
  const view = new DataView(octets.buffer);
  view.setUint16(octets.length - 6, number / 0x1_0000_0000);
  view.setUint32(octets.length - 4, number >>> 0);
}

export function numberOfRecipe({ octets, end }: RrsetView): number {
  const high = (octets[end - 6]! << 8) | octets[end - 5]!;
  const low = (octets[end - 4]! << 24) | (octets[end - 3]! << 16) | (octets[end - 2]! << 8) | octets[end - 1]!;
  return high === 0 && low >= 0 ? low : high * 0x1_0000_0000 + (low >>> 0);
}

/** Shows all the records, and that nothing steers them. */
export function withoutRecipe(view: RrsetView): void {
  const at = view.end - tailOctets;
  const { octets } = view;
  const length = (octets[at]! << 24) | (octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!;
  view.end = at - length;
  view.flags &= ~rrsetSteered;
}

/** Octets of the records, which begin at the view's `at`, and the recipe behind them. */
export function readRecipe({ octets, at, end }: RrsetView): { records: Uint8Array; recipe: StoredRecipe } {
  // slice copies out of shared memory, where text cannot be decoded and blocks are used again
  const own = octets.slice(at, end);
  const length = new DataView(own.buffer).getUint32(own.length - tailOctets);
  const from = own.length - tailOctets - length;
  const recipe: unknown = JSON.parse(new TextDecoder().decode(own.subarray(from, from + length)));
  if (!isStored(recipe)) throw new Error("the image holds a recipe that is none");
  return { records: own.subarray(0, from), recipe };
}

const isStored = (value: unknown): value is StoredRecipe => isObject(value) && "records" in value && "filters" in value;
