/** Reads query strings: first as pairs, then as values by a route's schema. */
import { type TSchema, Type } from "typebox";
import { invalid } from "../../lib/problem.ts";
import type { Route } from "./route.ts";
import { asJsonSchema, checkOf, describe, type JsonSchema } from "./schema.ts";
import type { Warnings } from "./warnings.ts";

/** The values of each name, in order. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

/** A boolean in the query: `true`, `True`, `t`, `1` and their opposites; the bare name means true. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Parses a query string; `+` is a blank, as forms encode it. */
export function pairsOf(query: string): Pairs {
  const pairs = new Map<string, string[]>();
  for (const part of query.split("&")) {
    if (part === "") continue;
    const at = part.indexOf("=");
    const name = decode(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? "" : decode(part.slice(at + 1));
    const values = pairs.get(name);
    if (values) values.push(value);
    else pairs.set(name, [value]);
  }
  return pairs;
}

function decode(text: string): string {
  try {
    const value = decodeURIComponent(text.replaceAll("+", " "));
    if (!value.includes("\0")) return value;
  } catch {}
  throw invalid("the query is not percent-encoded UTF-8 without NUL");
}

/** A parameter of every request: whether unknown fields and parameters are refused. */
export const strictParameter = "strict";

/** Returns a function that warns of parameters that the route does not have, or throws. */
export function queryBounds({ query, page, exactQuery }: Bounded): (pairs: Pairs, warnings: Warnings) => void {
  const known = [
    ...Object.keys((query && asJsonSchema(query).properties) ?? {}),
    ...(page === undefined ? [] : ["limit", "after"]),
  ];
  const hint = known.length === 0 ? "this endpoint has no parameters" : `known here: ${known.join(", ")}`;
  const isKnown = (name: string) => known.includes(name) || name === strictParameter;
  return (pairs, warnings) => {
    for (const other of pairs.keys()) {
      // arrays and objects of a known parameter, which reading refuses
      if (isKnown(other) || isKnown(other.replace(/\[.*/s, ""))) continue;
      const name = other.slice(0, 100).toWellFormed();
      if (exactQuery === true || warnings.isStrict) throw faulty(name, `is not known (${hint})`);
      warnings.add(`query parameter "${name}"`, `is not known and has no effect (${hint})`);
    }
  };
}

/** The parts of a route that decide which parameters are known. */
type Bounded = Pick<Route, "query" | "page" | "exactQuery">;

/** The value of the parameter `strict`; undefined when it is left out. */
export function strictnessIn(pairs: Pairs): boolean | undefined {
  const value = readScalar(strictParameter, { type: "boolean" }, oneValue(pairs, strictParameter));
  return typeof value === "boolean" ? value : undefined;
}

/** Returns a function that reads the parameters of `schema`, and throws `invalid` with the parameter's name. */
export function queryReader(schema: TSchema | undefined): (pairs: Pairs) => Readonly<Record<string, unknown>> {
  if (!schema) return () => ({});
  const check = checkOf(schema);
  const properties = Object.entries(asJsonSchema(schema).properties ?? {});
  return (pairs) => {
    const query: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const value = property.type === "array" ? pairs.get(name) : readScalar(name, property, oneValue(pairs, name));
      if (value !== undefined) query[name] = value;
    }
    const fault = check(query);
    if (fault) throw faulty(fault.field, fault.must);
    return query;
  };
}

/** Returns a parameter's only value. Throws on arrays and objects: `name=…&name=…`, `name[]=…`, `name[key]=…`. */
export function oneValue(pairs: Pairs, name: string): string | undefined {
  const values = pairs.get(name);
  if ((values && values.length > 1) || [...pairs.keys()].some((key) => key.startsWith(`${name}[`))) {
    throw faulty(name, "must be given once, as a plain value");
  }
  return values?.[0];
}

function readScalar(name: string, property: JsonSchema, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  switch (property.type) {
    case "boolean":
      if (/^(?:true|t|1|)$/i.test(text)) return true;
      if (/^(?:false|f|0)$/i.test(text)) return false;
      throw faulty(name, `must be ${describe(property)}`);
    case "integer":
      if (!/^-?\d{1,15}$/.test(text)) throw faulty(name, `must be ${describe(property)}`);
      return Number(text);
    case "number":
      if (!/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) throw faulty(name, `must be ${describe(property)}`);
      return Number(text);
    default:
      return text;
  }
}

export const faulty = (name: string, must: string) =>
  invalid(`Input validation failed: query parameter "${name}" ${must}`, { field: name });
