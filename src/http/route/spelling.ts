/**
 * Fields of bodies that nobody declares are ignored, as existing clients send some. One that is all but a declared field
 * is told instead: what its sender meant would not be done, and nobody would know.
 */
import type { TSchema } from "typebox";
import type { Route } from "./route.ts";
import { asJsonSchema, type JsonSchema } from "./schema.ts";

/** Shorter names are a letter away from too many others. */
const shortest = 3;
/** Names from this length on are far enough from others for two edits. */
const long = 9;

/** Fields of what routes of one tag take and show, by the field that holds them; "" holds a whole body or reply. */
export type Kindred = ReadonlyMap<string, ReadonlySet<string>>;

/** By tag: none of the fields of one is a misspelling of another that stands in the same place. */
export function fieldsByTag<Right, Ctx>(routes: readonly Route<Right, Ctx>[]): ReadonlyMap<string, Kindred> {
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

/** Of lists and tables: what each of their values is. */
const inside = ({ items, additionalProperties: rest }: JsonSchema): JsonSchema[] => [
  ...(items ? [items] : []),
  ...(typeof rest === "object" ? [rest] : []),
];

export interface Misspelling {
  /** Filled from the inside out. */
  readonly path: (string | number)[];
  readonly meant: string;
}

type Find = (value: unknown) => Misspelling | undefined;

/**
 * Makes the function that finds the first field, at any depth, that stands where a declared one is missing and is spelt
 * almost like it. A field that something of its kind has is none, unless what is missing is required.
 */
export const misspellingIn = (schema: TSchema, kindred: Kindred): Find =>
  finderOf(asJsonSchema(schema), "", kindred) ?? (() => undefined);

function finderOf(schema: JsonSchema, holder: string, kindred: Kindred): Find | undefined {
  if (schema.properties) return inObject(schema.properties, schema.required ?? [], holder, kindred);
  const [each] = inside(schema).flatMap((inner) => finderOf(inner, holder, kindred) ?? []);
  return each && ((value) => (Array.isArray(value) ? first(value.entries(), each) : first(entriesOf(value), each)));
}

function inObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  holder: string,
  kindred: Kindred,
): Find {
  const known = new Set(Object.keys(properties));
  const isKindred = (name: string) => kindred.get("")?.has(name) || kindred.get(holder)?.has(name);
  const inner = new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const find = finderOf(schema, name, kindred);
      return find ? [[name, find] as const] : [];
    }),
  );
  return (value) => {
    const entries = entriesOf(value);
    for (const [name] of entries) {
      if (known.has(name)) continue;
      const absent = (isKindred(name) ? required : [...known]).filter((field) => !Object.hasOwn(Object(value), field));
      const meant = meantBy(name, absent);
      if (meant !== undefined) return { path: [name], meant };
    }
    return first(entries, (field, name) => inner.get(String(name))?.(field));
  };
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

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

/** The field among `declared` that a name is most likely meant to be, if any. */
export const meantBy = (name: string, declared: Iterable<string>): string | undefined =>
  [...declared].find((field) => {
    const edits = field.length >= long ? 2 : 1;
    return field.length >= shortest && Math.abs(field.length - name.length) <= edits && isWithin(edits, name, field);
  });

/** Whether so many edits make `b` of `a`: a character more, less or another, or two neighbours swapped. */
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
