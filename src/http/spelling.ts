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

/** The fields that routes of each tag take or show at the top: none of them is a misspelling of another. */
export function fieldsByTag<Right, Ctx>(
  routes: readonly Route<Right, Ctx>[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>();
  for (const { tag, body, reply } of routes) {
    const known = fields.get(tag) ?? new Set();
    fields.set(tag, known);
    for (const schema of [body, reply]) for (const name of topFields(schema)) known.add(name);
  }
  return fields;
}

const topFields = (schema: TSchema | string | undefined): string[] =>
  schema === undefined || typeof schema === "string" ? [] : fieldsOf(asJsonSchema(schema));

const fieldsOf = ({ properties = {}, anyOf = [], oneOf = [], allOf = [], items }: JsonSchema): string[] => [
  ...Object.keys(properties),
  ...[...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])].flatMap(fieldsOf),
];

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
