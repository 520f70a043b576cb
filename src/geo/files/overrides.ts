/** Parses overrides, the operator's own facts about prefixes, from a table `prefix,country,...` or from JSON. */
import { invalid } from "../../lib/problem.ts";
import { isObject } from "../../lib/values.ts";
import { type AddressPrefix, scanPrefix } from "../facts/address.ts";
import type { ParsedGeo } from "../facts/data.ts";
import { Records, type StatedFacts } from "../facts/records.ts";
import { TreeBuilder } from "../facts/tree-builder.ts";
import { atLine, entriesOf, isHeader, type Row } from "./rows.ts";
import { assertWhole, factNames, readFacts } from "./stated.ts";

interface Override {
  readonly line: number;
  readonly prefix: AddressPrefix;
  readonly facts: StatedFacts;
}

/** Whether a table with this first row has overrides. */
export const isOverrideTable = (row: Row) => isHeader(row, "prefix") || (row.fields[0] ?? "").includes("/");

/** Parses a table of overrides. Throws a Problem that names file and line. */
export function parseOverrides(text: string, path: string): ParsedGeo {
  const entries = entriesOf(text, ["prefix", ...factNames], ["prefix"], path);
  return build(
    Array.from(entries, ({ line, fields }) =>
      atLine(path, line, () => readOverride(line, fields.prefix ?? "", fields)),
    ),
    path,
  );
}

/** Parses a JSON object of facts by prefix. Throws a Problem that names file and line. */
export function parseJsonOverrides(text: string, path: string): ParsedGeo {
  const entries = Object.entries(parseObject(text, path));
  const nextLine = lineFinder(text);
  return build(
    entries.map(([prefix, fields]) => {
      const line = nextLine(prefix);
      return atLine(path, line, () => {
        if (!isObject(fields)) throw invalid(`${prefix} must have an object of facts`);
        return readOverride(line, prefix, readFields(fields, prefix));
      });
    }),
    path,
  );
}

function readOverride(line: number, text: string, fields: Parameters<typeof readFacts>[0]): Override {
  const prefix = scanPrefix(text);
  if (prefix === undefined)
    throw invalid(`"${text}" is not a prefix such as 192.0.2.0/24, or has bits set beyond its length`);
  const facts = readFacts(fields);
  if (Object.keys(facts).length === 0) throw invalid(`${text} states no facts`);
  return { line, prefix, facts };
}

/** Builds the tree, with wider prefixes first, so that narrower prefixes inherit their facts. */
function build(overrides: readonly Override[], path: string): ParsedGeo {
  const builder = new TreeBuilder();
  const records = new Records();
  const lines = new Map<string, number>();
  for (const { line, prefix, facts } of overrides.toSorted((a, b) => a.prefix.bits - b.prefix.bits)) {
    atLine(path, line, () => {
      const name = `${prefix.first}/${prefix.bits}`;
      if (lines.has(name)) throw invalid(`the prefix repeats line ${lines.get(name)}`);
      lines.set(name, line);
      const add = (whole: StatedFacts) => {
        assertWhole(whole);
        return records.add(whole);
      };
      builder.put(prefix.first, prefix.last, (present) => add(narrow(records.get(present), facts)));
    });
  }
  const { length } = overrides;
  const description = `overrides, ${length} ${length === 1 ? "prefix" : "prefixes"}`;
  return { kind: "overrides", description, tree: builder.share(records) };
}

/** Joins a prefix's own facts with a wider prefix's, but not with a place in another country or subdivision. */
function narrow(wider: StatedFacts, own: StatedFacts): StatedFacts {
  const { asn, country, ...place } = wider;
  const moves =
    (own.country !== undefined && own.country !== country) ||
    (own.subdivision !== undefined && own.subdivision !== place.subdivision);
  return {
    ...(asn === undefined ? {} : { asn }),
    ...(country === undefined ? {} : { country }),
    ...(moves ? {} : place),
    ...own,
  };
}

function parseObject(text: string, path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    throw invalid(`${path}:${lineOf(text, at)}: not JSON: ${message}`);
  }
  if (!isObject(value)) throw invalid(`${path}:1: must be an object of prefixes`);
  return value;
}

function readFields(fields: Record<string, unknown>, prefix: string): Parameters<typeof readFacts>[0] {
  for (const [name, value] of Object.entries(fields)) {
    if (!factNames.some((known) => known === name))
      throw invalid(`${prefix}: "${name}" is not one of ${factNames.join(", ")}`);
    if (typeof value !== "string" && typeof value !== "number")
      throw invalid(`${prefix}: ${name} must be text or a number`);
  }
  return fields as Parameters<typeof readFacts>[0];
}

/** Makes the function that finds the lines of keys, which must be passed in their order in the text. */
function lineFinder(text: string): (key: string) => number {
  let at = 0;
  let line = 1;
  return (key) => {
    const next = Math.max(at, text.indexOf(JSON.stringify(key), at));
    line += lineOf(text.slice(at, next), next - at) - 1;
    at = next;
    return line;
  };
}

const lineOf = (text: string, at: number) => text.slice(0, Math.max(0, at)).split("\n").length;
