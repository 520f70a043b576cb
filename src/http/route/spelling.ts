/**
 * Finds unknown fields in bodies, and the declared fields that they probably misspell. Existing clients send some, so
 * callers with a key get a warning; others are refused.
 */
import type { TSchema } from "typebox";
import { isObject } from "../../lib/values.ts";
import type { Route } from "./route.ts";
import { asJsonSchema, type JsonSchema } from "./schema.ts";
import { mostWarnings } from "./warnings.ts";

/** The shortest name that is compared: shorter names are one letter away from too many words. */
const shortest = 3;
/** Names of at least this length may differ by two edits. */
const long = 9;
/** The most names of a body that are compared with declared fields: later misspellings are unknown without a hint. */
export const mostCompared = 1000;

/** The fields in bodies and replies of one tag's routes, by the field that contains them; "" is the outermost level. */
export type TagFields = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the fields of each tag: a field that the tag has in the same position is usually not a misspelling. */
export function fieldsByTag<Right, Ctx>(routes: readonly Route<Right, Ctx>[]): ReadonlyMap<string, TagFields> {
  const fields = new Map<string, Map<string, Set<string>>>();
  for (const { tag, body, reply } of routes) {
    const known = fields.get(tag) ?? new Map<string, Set<string>>();
    fields.set(tag, known);
    for (const schema of [body, reply]) {
      if (schema !== undefined && typeof schema !== "string") gather(asJsonSchema(schema), "", known);
    }
  }
  return fields;
}

function gather(schema: JsonSchema, holder: string, known: Map<string, Set<string>>): void {
  const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema;
  for (const inner of [...anyOf, ...oneOf, ...allOf, ...inside(schema)]) gather(inner, holder, known);
  for (const [name, inner] of Object.entries(properties)) {
    known.set(holder, (known.get(holder) ?? new Set()).add(name));
    gather(inner, name, known);
  }
}

/** The schemas of the items of an array and of the values of a table. */
const inside = ({ items, additionalProperties: rest }: JsonSchema): JsonSchema[] => [
  ...(items ? [items] : []),
  ...(typeof rest === "object" ? [rest] : []),
];

/** A field that no schema declares. */
export interface UnknownField {
  readonly path: readonly (string | number)[];
  /** The declared field that it probably misspells. */
  readonly meant: string | undefined;
}

type Path = readonly (string | number)[];
type Found = (field: UnknownField) => void;
type Find = (value: unknown, path: Path, search: Search) => void;

/** The search through one body. */
class Search {
  #compared = 0;
  #named = 0;
  /** Unknown fields after those that were named. */
  unnamed = 0;
  readonly #found: Found;

  constructor(found: Found) {
    this.#found = found;
  }

  meantBy(name: string, declared: readonly string[]): string | undefined {
    return declared.length > 0 && this.#compared++ < mostCompared ? meantBy(name, declared) : undefined;
  }

  add(path: Path, name: string, meant: string | undefined): void {
    if (this.#named++ < mostWarnings) this.#found({ path: [...path, name], meant });
    else this.unnamed++;
  }
}

/**
 * Returns a function that finds the unknown fields of a body, at any depth. It calls `found` for the first of them, and
 * returns the number of others. Fields in `tagFields` are known, since clients
 * send back what they read; such a field can only be a misspelling of a required field. In an object that keeps other
 * fields, only misspellings are found.
 */
export function unknownFieldsIn(schema: TSchema, tagFields: TagFields): (value: unknown, found: Found) => number {
  const find = finderOf(asJsonSchema(schema), "", tagFields);
  return (value, found) => {
    const search = new Search(found);
    find?.(value, [], search);
    return search.unnamed;
  };
}

function finderOf(schema: JsonSchema, holder: string, tagFields: TagFields): Find | undefined {
  if (schema.properties) return inObject(schema, schema.properties, holder, tagFields);
  const [each] = inside(schema).flatMap((inner) => finderOf(inner, holder, tagFields) ?? []);
  return (
    each &&
    ((value, path, search) => {
      const entries = Array.isArray(value) ? value.entries() : entriesOf(value);
      for (const [step, item] of entries) each(item, [...path, step], search);
    })
  );
}

function inObject(
  { required = [], additionalProperties }: JsonSchema,
  properties: Readonly<Record<string, JsonSchema>>,
  holder: string,
  tagFields: TagFields,
): Find {
  const known = new Set(Object.keys(properties));
  const isTagField = (name: string) => tagFields.get("")?.has(name) || tagFields.get(holder)?.has(name);
  const inner = new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const find = finderOf(schema, name, tagFields);
      return find ? [[name, find] as const] : [];
    }),
  );
  return (value, path, search) => {
    const candidates = absentNames(value, known, required);
    for (const [name, field] of entriesOf(value)) {
      inner.get(name)?.(field, [...path, name], search);
      if (known.has(name) || (holder === "" && name === ofReplies)) continue;
      const isRead = isTagField(name);
      const meant = search.meantBy(name, candidates(isRead === true));
      if (meant !== undefined || !(isRead || additionalProperties === true)) search.add(path, name, meant);
    }
  };
}

/** Returns the names that an unknown field of an object can mean: they are gathered once, if at all. */
function absentNames(value: unknown, known: Iterable<string>, required: readonly string[]) {
  const absent = (names: Iterable<string>) => [...names].filter((name) => !Object.hasOwn(Object(value), name));
  let all: readonly string[] | undefined;
  let ofRequired: readonly string[] | undefined;
  return (onlyRequired: boolean) => {
    if (onlyRequired) ofRequired ??= absent(required);
    else all ??= absent(known);
    return (onlyRequired ? ofRequired : all) ?? [];
  };
}

/** A field that every reply may have. */
const ofReplies = "warnings";

const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

/** Returns the field in `declared` that `name` probably misspells. */
export const meantBy = (name: string, declared: readonly string[]): string | undefined =>
  declared.find((field) => {
    const edits = field.length >= long ? 2 : 1;
    return field.length >= shortest && Math.abs(field.length - name.length) <= edits && isWithin(edits, name, field);
  });

/** Whether `edits` edits can turn `a` into `b`; an edit adds, removes or replaces a character, or swaps neighbours. */
function isWithin(edits: number, a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const [x, y] = [a.slice(same), b.slice(same)];
  if (x === y) return true;
  if (edits === 0) return false;
  const pairs = [
    [x.slice(1), y],
    [x, y.slice(1)],
    [x.slice(1), y.slice(1)],
    ...(x.length > 1 && x[0] === y[1] && x[1] === y[0] ? [[x.slice(2), y.slice(2)]] : []),
  ];
  return pairs.some(([left = "", right = ""]) => isWithin(edits - 1, left, right));
}
