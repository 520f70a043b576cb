/** The RRsets of a node, which the writer reads from one version and writes to the next. */
import { TypeCode } from "../../../dns/wire/constants.ts";
import {
  blockLabels,
  blockShape,
  directoryWords,
  flagAsAddress,
  flagCut,
  flagDname,
  labelsShift,
  largeUnit,
  rrsetAsAddress,
  rrsetFlagsShift,
  rrsetLarge,
  rrsetOctets,
  rrsetsShift,
} from "../memory/layout.ts";
import { type ImageMemory, octetAt } from "../memory/memory.ts";
import type { Rrset } from "./rrset.ts";

/** One RRset: its records are `octets` octets of `source` from `at` on. */
export interface Part {
  readonly type: number;
  readonly count: number;
  readonly flags: number;
  readonly source: Uint8Array;
  readonly at: number;
  readonly octets: number;
}

export const partOf = ({ type, count, flags, octets }: Rrset): Part => ({
  type,
  count,
  flags,
  source: octets,
  at: 0,
  octets: octets.length,
});

/** Word of a node at which its directory begins; `labels` is the length of its labels in octets. */
const directoryAt = (labels: number) => blockLabels + ((labels + 3) >>> 2);

/** Size of a node in units; `labels` is the length of its labels in octets. */
export function nodeUnits(labels: number, parts: readonly Part[]): number {
  const words = directoryAt(labels) + parts.length * directoryWords;
  return (parts.reduce((sum, part) => sum + part.octets, words * 4) + 7) >>> 3;
}

/** The part of a node's shape word that its RRsets determine; NS below the apex (`labels` > 0) is a cut. */
export function shapeOf(parts: readonly Part[], labels: number): number {
  const has = (type: number) => parts.some((part) => part.type === type && part.count > 0);
  return (
    (parts.length << rrsetsShift) |
    (labels > 0 && has(TypeCode.NS) ? flagCut : 0) |
    (has(TypeCode.DNAME) ? flagDname : 0) |
    (parts.some((part) => (part.flags & rrsetAsAddress) !== 0) ? flagAsAddress : 0)
  );
}

export function readParts(memory: ImageMemory, node: number): Part[] {
  const shape = memory.word(node, blockShape);
  const count = (shape >>> rrsetsShift) & 0xff;
  const directory = directoryAt(shape >>> labelsShift);
  const parts: Part[] = [];
  let at = octetAt(node) + (directory + count * directoryWords) * 4;
  for (let i = 0; i < count; i++) {
    const head = memory.word(node, directory + i * directoryWords);
    const tail = memory.word(node, directory + i * directoryWords + 1);
    const octets = rrsetOctets(tail);
    const source = memory.octetsOf(node);
    parts.push({ type: head & 0xffff, count: head >>> 16, flags: tail >>> rrsetFlagsShift, source, at, octets });
    at += octets;
  }
  return parts;
}

/** Writes these parts to a node that was allocated for them; the directory is sorted by type. */
export function writeParts(memory: ImageMemory, node: number, parts: readonly Part[]): void {
  const directory = directoryAt(memory.word(node, blockShape) >>> labelsShift);
  const target = memory.octetsOf(node);
  let at = octetAt(node) + (directory + parts.length * directoryWords) * 4;
  const ordered = parts.toSorted((a, b) => a.type - b.type);
  for (const [i, part] of ordered.entries()) {
    memory.setWord(node, directory + i * directoryWords, part.type | (part.count << 16));
    const length = (part.flags & rrsetLarge) === 0 ? part.octets : part.octets / largeUnit;
    memory.setWord(node, directory + i * directoryWords + 1, length | (part.flags << rrsetFlagsShift));
    target.set(part.source.subarray(part.at, part.at + part.octets), at);
    at += part.octets;
  }
}
