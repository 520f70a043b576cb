/** Prints replies through their schema: only the schema's keys, in its order. */
import type { TSchema } from "typebox";
import { LongWork } from "../../lib/fair/yield.ts";
import { isObject } from "../../lib/values.ts";
import { type Pieces, PieceWriter } from "../message/pieces.ts";
import { asJsonSchema, type JsonSchema, validatorOf } from "./schema.ts";

const json = Symbol("JSON");

interface Printed {
  readonly [json]?: string;
}

/** Notes the JSON of an item of a list, which must be what its schema prints. A reply in steps contains this text. */
export const printed = <Item extends object>(item: Item): Item => Object.assign(item, { [json]: JSON.stringify(item) });

/** A reply whose JSON is known, as its schema prints it: a thread has made the reply. It has no fields. */
// safe: only its text is read, in `print`
export const printedAs = <Reply>(text: string): Reply => ({ [json]: text }) as Reply;

/** The JSON of a value: that of `printed`, if it was called. */
export const jsonOf = (value: unknown): string => (value as Printed | null)?.[json] ?? JSON.stringify(value);

type Project = (value: unknown) => unknown;

type Print = (value: unknown, warnings?: readonly string[]) => string;

export interface Printer {
  readonly print: Print;
  /** The same text; a reply with a long list is printed in steps, between which other requests go first. */
  readonly printInSteps: (value: unknown, warnings?: readonly string[]) => string | Promise<Pieces>;
}

/**
 * Returns functions that print a reply as compact JSON and a newline. If `strict`, they throw on a wrong reply. Warnings
 * are added to an object with known fields, but not to a table, whose keys are names, nor beside warnings of another form.
 */
export function printerOf(schema: TSchema | "status" | "download", strict: boolean): Printer {
  if (schema === "status" || schema === "download") {
    const print: Print = (_, warnings = []) => printWith({}, warnings);
    return { print, printInSteps: print };
  }
  const { properties, additionalProperties } = asJsonSchema(schema);
  const ownItems = properties?.["warnings"]?.items;
  const takesWarnings =
    properties !== undefined && additionalProperties === undefined && (!ownItems || ownItems.type === "string");
  const project = projection(asJsonSchema(schema)) ?? ((value) => value);
  const validator = validatorOf(schema);
  const assertFits = (reply: unknown) => {
    const [error] = strict && !validator().Check(reply) ? validator().Errors(reply) : [];
    if (error) throw new Error(`the reply does not fit its schema: ${error.instancePath} ${error.message}`);
  };
  const print: Print = (value, warnings = []) => {
    const known = (value as Printed | null)?.[json];
    if (known !== undefined && !takesWarnings) {
      if (strict) assertFits(JSON.parse(known));
      return `${known}\n`;
    }
    const reply = project(value);
    assertFits(reply);
    return printWith(reply, takesWarnings ? warnings : []);
  };
  const inSteps = stepsOf(asJsonSchema(schema));
  const printInSteps = (value: unknown, warnings: readonly string[] = []) => {
    const steps = inSteps(value, takesWarnings ? warnings : []);
    if (!steps) return print(value, warnings);
    return strict ? sameText(steps, print(value, warnings)) : steps;
  };
  return { print, printInSteps };
}

async function sameText(steps: Promise<Pieces>, whole: string): Promise<Pieces> {
  const pieces = await steps;
  if (pieces.join("") !== whole) throw new Error("the reply in steps is not the reply as a whole");
  return pieces;
}

/** From this many items on, a list is printed in steps. */
const manyItems = 100;

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length >= manyItems;

/** Returns a function that prints a long list, or an object with one, in steps; for other values it returns undefined. */
function stepsOf(schema: JsonSchema): (value: unknown, warnings: readonly string[]) => Promise<Pieces> | undefined {
  const asIs: Project = (value) => value;
  if (schema.items) {
    const item = projection(schema.items) ?? asIs;
    return (value) => (isLong(value) ? printOnly(value, item) : undefined);
  }
  const { properties = {}, additionalProperties, patternProperties } = schema.allOf ? merged(schema.allOf) : schema;
  if (additionalProperties || patternProperties) return () => undefined;
  const known = Object.entries(properties).map(([key, inner]) => {
    return { key, project: projection(inner) ?? asIs, item: inner.items && (projection(inner.items) ?? asIs) };
  });
  const hasLong = (value: unknown): value is Readonly<Record<string, unknown>> =>
    isObject(value) && known.some(({ key, item }) => item && isLong(value[key]));
  return (value, warnings) => {
    if (!hasLong(value)) return undefined;
    if (warnings.length === 0) return printFields(value, known);
    const others = known.filter(({ key }) => key !== "warnings");
    const last = { key: "warnings", project: asIs, item: undefined };
    return printFields(withWarnings(value, warnings), [...others, last]);
  };
}

interface KnownField {
  readonly key: string;
  readonly project: Project;
  /** For the items of a list. */
  readonly item: Project | undefined;
}

async function printFields(value: Readonly<Record<string, unknown>>, fields: readonly KnownField[]): Promise<Pieces> {
  const to = new PieceWriter();
  let before = "{";
  for (const { key, project, item } of fields) {
    const field = value[key];
    if (field === undefined) continue;
    to.add(`${before}${JSON.stringify(key)}:`);
    if (item && isLong(field)) await printList(to, field, item);
    else to.add(JSON.stringify(project(field)));
    before = ",";
  }
  to.add(before === "{" ? "{}\n" : "}\n");
  return to.pieces();
}

async function printOnly(list: readonly unknown[], item: Project): Promise<Pieces> {
  const to = new PieceWriter();
  await printList(to, list, item);
  to.add("\n");
  return to.pieces();
}

/** Prints a list that is not empty. */
async function printList(to: PieceWriter, list: readonly unknown[], item: Project): Promise<void> {
  const work = new LongWork();
  let before = "[";
  for (const one of list) {
    to.add(before);
    to.add((one as Printed | null)?.[json] ?? JSON.stringify(item(one)) ?? "null");
    before = ",";
    if (work.isDue) await work.giveWay();
  }
  to.add("]");
}

const printWith = (reply: unknown, warnings: readonly string[]) =>
  `${JSON.stringify(warnings.length > 0 && isObject(reply) ? withWarnings(reply, warnings) : reply) ?? "{}"}\n`;

/** Adds warnings after those that the reply has. */
function withWarnings(reply: Readonly<Record<string, unknown>>, warnings: readonly string[]) {
  const { warnings: own, ...fields } = reply;
  return { ...fields, warnings: [...(Array.isArray(own) ? own : []), ...warnings] };
}

/** Returns a function that keeps a schema's keys; undefined when values are printed as they are. */
function projection(schema: JsonSchema): Project | undefined {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return choice(alternatives);
  const object = schema.allOf ? merged(schema.allOf) : schema;
  if (object.properties || object.patternProperties || isSchema(object.additionalProperties)) return fields(object);
  const item = schema.items && projection(schema.items);
  return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
}

function choice(alternatives: readonly JsonSchema[]): Project | undefined {
  const others = alternatives.filter(({ type }) => type !== "null");
  if (others.length === 1) {
    // a check would read all of a large value
    const project = projection(others[0]!);
    return project && ((value) => (value === null ? value : project(value)));
  }
  const branches = alternatives.map((schema) => ({ project: projection(schema), fits: fitOf(schema) }));
  if (branches.every(({ project }) => project === undefined)) return undefined;
  return (value) => {
    const project = branches.find(({ fits }) => fits(value))?.project;
    return project ? project(value) : value;
  };
}

function fitOf(schema: JsonSchema): (value: unknown) => boolean {
  const validator = validatorOf(asTypeBox(schema));
  return (value) => validator().Check(value);
}

/** TypeBox compiles any JSON Schema, though its types accept only TypeBox schemas. */
const asTypeBox = (schema: JsonSchema) => schema as TSchema;

function fields(schema: JsonSchema): Project {
  const known = Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, projection(inner)] as const);
  const rest = restOf(schema);
  return (value) => {
    if (!isObject(value)) return value;
    const reply: Record<string, unknown> = {};
    for (const [key, project] of known) {
      const field = value[key];
      if (field !== undefined) reply[key] = project ? project(field) : field;
    }
    return rest ? { ...reply, ...rest(value) } : reply;
  };
}

/** Returns a function that projects the keys that are no property of the schema; undefined when they are left out. */
function restOf(schema: JsonSchema): ((source: Readonly<Record<string, unknown>>) => object) | undefined {
  const { additionalProperties: more, properties = {} } = schema;
  const patterns = Object.entries(schema.patternProperties ?? {}).map(
    ([pattern, inner]) => [new RegExp(pattern, "u"), projection(inner)] as const,
  );
  if (!more && patterns.length === 0) return undefined;
  const other = isSchema(more) ? projection(more) : undefined;
  return (source) =>
    Object.fromEntries(
      Object.entries(source).flatMap(([key, field]) => {
        if (Object.hasOwn(properties, key)) return [];
        const pattern = patterns.find(([regexp]) => regexp.test(key));
        if (!pattern && !more) return [];
        const project = pattern ? pattern[1] : other;
        return [[key, project ? project(field) : field]];
      }),
    );
}

const isSchema = (more: JsonSchema["additionalProperties"]): more is JsonSchema => typeof more === "object";

const merged = (parts: readonly JsonSchema[]): JsonSchema => ({
  properties: Object.assign({}, ...parts.map((part) => (part.allOf ? merged(part.allOf) : part).properties)),
});
