/** Parses range lists: lines of `start,end,country[,subdivision[,latitude,longitude[,asn[,georegion]]]]`. */
import { invalid } from "../../lib/problem.ts";
import { type AddressRange, scanAddress } from "../facts/address.ts";
import type { ParsedGeo } from "../facts/data.ts";
import { Records } from "../facts/records.ts";
import { TreeBuilder } from "../facts/tree-builder.ts";
import { atLine, entriesOf } from "./rows.ts";
import { assertWhole, factNames, readFacts } from "./stated.ts";

/** Parses a range list. Throws a Problem that names file and line. */
export function parseRanges(text: string, path: string): ParsedGeo {
  const builder = new TreeBuilder();
  const records = new Records();
  const numbers = new Map<string, number>();
  let count = 0;
  for (const { line, fields } of entriesOf(text, ["start", "end", ...factNames], ["start", "end"], path)) {
    atLine(path, line, () => {
      const range = readRange(fields.start, fields.end);
      const record = readRecord(fields, records, numbers);
      if (record !== 0) builder.put(range.first, range.last, (present) => (present === 0 ? record : refuseOverlap()));
    });
    count++;
  }
  return {
    kind: "ranges",
    description: `range list, ${count} ${count === 1 ? "range" : "ranges"}`,
    tree: builder.share(records),
  };
}

function readRange(start = "", end = ""): AddressRange {
  const [first, last] = [scanAddress(start), scanAddress(end)];
  if (first === undefined) throw invalid(`start "${start}" is not an IP address`);
  if (last === undefined) throw invalid(`end "${end}" is not an IP address`);
  if (first.length !== last.length) throw invalid(`${start} and ${end} are of different address families`);
  if (Buffer.compare(first, last) > 0) throw invalid(`${start} comes after ${end}`);
  return { first, last };
}

/** Returns the number of a row's record; rows with the same facts share a record. */
function readRecord(fields: Parameters<typeof readFacts>[0], records: Records, numbers: Map<string, number>): number {
  const key = factNames.map((name) => fields[name]).join();
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const facts = readFacts(fields);
  assertWhole(facts);
  const number = records.add(facts);
  numbers.set(key, number);
  return number;
}

function refuseOverlap(): never {
  throw invalid("the range overlaps a range of an earlier line");
}
