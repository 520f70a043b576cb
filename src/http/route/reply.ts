/** Prints replies through their schema: only the schema's keys, in its order. */
import type { TSchema } from "typebox";
import { isObject } from "../../lib/values.ts";
import { asJsonSchema, type JsonSchema, validatorOf } from "./schema.ts";

type Project = (value: unknown) => unknown;

type Print = (value: unknown, warnings?: readonly string[]) => string;

/**
 * Returns a function that prints a reply as compact JSON and a newline. If `strict`, it throws on a wrong reply. Warnings
 * are added to an object with known fields, but not to a table, whose keys are names, nor beside warnings of another form.
 */
export function printerOf(schema: TSchema | "status" | "download", strict: boolean): Print {
  if (schema === "status" || schema === "download") return (_, warnings = []) => printWith({}, warnings);
  const { properties, additionalProperties } = asJsonSchema(schema);
  const ownItems = properties?.["warnings"]?.items;
  const takesWarnings =
    properties !== undefined && additionalProperties === undefined && (!ownItems || ownItems.type === "string");
  const project = projection(asJsonSchema(schema)) ?? ((value) => value);
  const validator = validatorOf(schema);
  return (value, warnings = []) => {
    const reply = project(value);
    const [error] = strict && !validator().Check(reply) ? validator().Errors(reply) : [];
    if (error) throw new Error(`the reply does not fit its schema: ${error.instancePath} ${error.message}`);
    return printWith(reply, takesWarnings ? warnings : []);
  };
}

const printWith = (reply: unknown, warnings: readonly string[]) =>
  `${JSON.stringify(warnings.length === 0 ? reply : withWarnings(reply, warnings)) ?? "{}"}\n`;

/** Adds warnings after those that the reply has. */
function withWarnings(reply: unknown, warnings: readonly string[]): unknown {
  if (!isObject(reply)) return reply;
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
