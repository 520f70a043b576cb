/**
 * Finds misspelt fields in bodies. Unknown fields are ignored, because existing clients send some. But a field whose
 * name is almost a declared one is refused, because the caller's intention would be lost without a word.
 */
import type { TSchema } from "typebox";
import { isObject } from "../../lib/values.ts";
import type { Route } from "./route.ts";
import { asJsonSchema, type JsonSchema } from "./schema.ts";

/** The shortest name that is compared: shorter names are one letter away from too many words. */
const shortest = 3;
/** Names of at least this length may differ by two edits. */
const long = 9;

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

export interface Misspelling {
  /** Filled from the innermost step outwards. */
  readonly path: (string | number)[];
  readonly meant: string;
}

type Find = (value: unknown) => Misspelling | undefined;

/**
 * Returns a function that finds the first field, at any depth, whose name is almost that of a declared field missing from
 * the same object. A field in `tagFields` can only be a misspelling of a required field.
 */
export const misspellingIn = (schema: TSchema, tagFields: TagFields): Find =>
  finderOf(asJsonSchema(schema), "", tagFields) ?? (() => undefined);

function finderOf(schema: JsonSchema, holder: string, tagFields: TagFields): Find | undefined {
  if (schema.properties) return inObject(schema.properties, schema.required ?? [], holder, tagFields);
  const [each] = inside(schema).flatMap((inner) => finderOf(inner, holder, tagFields) ?? []);
  return each && ((value) => (Array.isArray(value) ? first(value.entries(), each) : first(entriesOf(value), each)));
}

function inObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
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
  return (value) => {
    const entries = entriesOf(value);
    for (const [name] of entries) {
      if (known.has(name)) continue;
      const absent = (isTagField(name) ? required : [...known]).filter((field) => !Object.hasOwn(Object(value), field));
      const meant = meantBy(name, absent);
      if (meant !== undefined) return { path: [name], meant };
    }
    return first(entries, (field, name) => inner.get(String(name))?.(field));
  };
}

const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

function first(
  entries: Iterable<[string | number, unknown]>,
  find: (value: unknown, step: string | number) => Misspelling | undefined,
): Misspelling | undefined {
  for (const [step, value] of entries) {
    const found = find(value, step);
    if (!found) continue;
    found.path.unshift(step);
    return found;
  }
  return undefined;
}

/** Returns the field in `declared` that `name` probably misspells. */
export const meantBy = (name: string, declared: Iterable<string>): string | undefined =>
  [...declared].find((field) => {
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
