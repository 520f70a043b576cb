/** Parses range lists: lines of `start,end,country[,subdivision[,latitude,longitude[,asn]]]`. */
import { invalid } from "../../lib/problem.ts";
import { type AddressRange, compareAddresses, scanAddress } from "../facts/address.ts";
import type { ParsedGeo } from "../facts/data.ts";
import { Records } from "../facts/records.ts";
import { TreeBuilder } from "../facts/tree.ts";
import { atLine, type Row, readHeader } from "./rows.ts";
import { assertWhole, factNames, readFacts } from "./stated.ts";

const columns = ["start", "end", ...factNames] as const;
type Column = (typeof columns)[number];

/** Parses the rows of a list; a header can change the columns. Throws a Problem that names file and line. */
export function parseRanges(rows: Iterable<Row>, path: string): ParsedGeo {
  const builder = new TreeBuilder();
  const records = new Records();
  const numbers = new Map<string, number>();
  let names: readonly (Column | undefined)[] = columns;
  let count = 0;
  for (const row of rows) {
    if (count === 0 && isHeader(row)) {
      names = readHeader(row, columns, ["start", "end"], path);
      continue;
    }
    atLine(path, row.line, () => {
      const range = readRange(row.fields[names.indexOf("start")], row.fields[names.indexOf("end")]);
      const record = readRecord(row.fields, names, records, numbers);
      if (record !== 0) builder.put(range.first, range.last, (present) => (present === 0 ? record : refuseOverlap()));
    });
    count++;
  }
  return { kind: "ranges", description: `range list, ${count} ranges`, tree: builder.share(records) };
}

const isHeader = ({ fields }: Row) => fields.some((field) => field.toLowerCase() === "start");

function readRange(start = "", end = ""): AddressRange {
  const [first, last] = [scanAddress(start), scanAddress(end)];
  if (first === undefined) throw invalid(`start "${start}" is not an IP address`);
  if (last === undefined) throw invalid(`end "${end}" is not an IP address`);
  if (first.length !== last.length) throw invalid(`${start} and ${end} are of different address families`);
  if (compareAddresses(first, last) > 0) throw invalid(`${start} comes after ${end}`);
  return { first, last };
}

/** Returns the number of a row's record; rows with the same facts share one. */
function readRecord(
  fields: readonly string[],
  names: readonly (Column | undefined)[],
  records: Records,
  numbers: Map<string, number>,
): number {
  if (fields.length > names.length)
    throw invalid(`the line has ${fields.length} fields, but only ${names.length} columns are known`);
  const stated = names.map((name, at) => (name === "start" || name === "end" ? "" : (fields[at] ?? "")));
  const key = stated.join();
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const facts = readFacts(Object.fromEntries(names.map((name, at) => [name, stated[at]])));
  assertWhole(facts);
  const number = records.add(facts);
  numbers.set(key, number);
  return number;
}

function refuseOverlap(): never {
  throw invalid("the range overlaps a range of an earlier line");
}
