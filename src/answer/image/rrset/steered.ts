/** A steered RRset in the image: a number that identifies it, its records, and the settings of its chain. */
import { invalid } from "../../../lib/problem.ts";
import { read32 } from "../../lists/list.ts";
import { composeSettings, type ReadSettings, readSettings, type StoredSettings } from "../../lists/settings.ts";
import { mostAnswers } from "../../model/selection.ts";
import { largeUnit, rrsetLarge, rrsetOctetsMask, rrsetSteered } from "../memory/layout.ts";
import type { Rrset } from "./rrset.ts";
import type { ImageRecord } from "./source.ts";
import type { RrsetView } from "./view.ts";

/** Octets of the number that a steered RRset begins with. */
export const numberOctets = 6;
/** Head before the records: the number, and the length of the records in octets (4). */
const headOctets = 10;
const lengthAt = numberOctets;
const space = 0x20;

/**
 * Puts a head before the records of `rrset`, and the settings after them; answer `i` is its record `records[i]`. With
 * `asSent` the settings have all metadata as it was sent, for a trace.
 */
export function addSettings(rrset: Rrset, record: ImageRecord, records: readonly number[], asSent: boolean): Rrset {
  const { length: answers } = record.answers;
  if (answers > mostAnswers) throw invalid(`a record with filters can have ${mostAnswers} answers, not ${answers}`);
  const settings: StoredSettings = {
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
  const stored = asSent ? new TextEncoder().encode(JSON.stringify(settings)) : composeSettings(settings);
  const length = headOctets + rrset.octets.length + stored.length;
  const isLarge = length > rrsetOctetsMask;
  // spaces after the settings, which may be plain JSON
  const octets = new Uint8Array(isLarge ? Math.ceil(length / largeUnit) * largeUnit : length).fill(space, length);
  new DataView(octets.buffer).setUint32(lengthAt, rrset.octets.length);
  octets.set(rrset.octets, headOctets);
  octets.set(stored, headOctets + rrset.octets.length);
  return { ...rrset, flags: rrset.flags | rrsetSteered | (isLarge ? rrsetLarge : 0), octets };
}

/** Sets the number of a steered RRset, which the image must never have used before. */
export function setSteeringNumber({ octets }: Rrset, number: number): void {
  const view = new DataView(octets.buffer);
  view.setUint16(0, number / 0x1_0000_0000);
  view.setUint32(2, number >>> 0);
}

export function steeringNumber({ octets, at }: RrsetView): number {
  const high = (octets[at]! << 8) | octets[at + 1]!;
  const low = (octets[at + 2]! << 24) | (octets[at + 3]! << 16) | (octets[at + 4]! << 8) | octets[at + 5]!;
  return high === 0 && low >= 0 ? low : high * 0x1_0000_0000 + (low >>> 0);
}

/** Makes the view show all records, like an RRset without steering. */
export function dropSettings(view: RrsetView): void {
  const length = read32(view.octets, view.at + lengthAt);
  view.at += headOctets;
  view.end = view.at + length;
  view.flags &= ~rrsetSteered;
}

/** Copies the records and their settings. Lists stay in the image, from `listsAt` after the beginning of the RRset. */
export function readSteered({ octets, at, end }: RrsetView): ReadSettings & { readonly records: Uint8Array } {
  const from = at + headOctets;
  const to = from + read32(octets, at + lengthAt);
  const read = readSettings(octets, to, end);
  // a copy, because the memory may be reused
  return { ...read, listsAt: read.listsAt - at, records: octets.slice(from, to) };
}
