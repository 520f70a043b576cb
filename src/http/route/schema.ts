/** Compiled checks of schemas, with a message that names the faulty field and the expected value. */
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { printPath } from "../body/json.ts";

/** The keywords of JSON Schema that messages and projections use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** A TypeBox schema is a JSON Schema, though its type does not declare the keywords. */
export const asJsonSchema = (schema: TSchema): JsonSchema => schema as JsonSchema;

/** Whether a body may be left out: yes for an object with only optional fields; no for a table, where {} has a meaning. */
export function isDispensable(schema: TSchema): boolean {
  const { properties, required = [] } = asJsonSchema(schema);
  return properties !== undefined && required.length === 0;
}

export interface SchemaFault {
  /** For example `answers[0].meta`; empty for the whole value. */
  readonly field: string;
  /** For example `must be an integer from 0 to 255` or `is required`. */
  readonly must: string;
}

/** Returns a function that finds the first fault in a value. No value is coerced. */
export function checkOf(schema: TSchema): (value: unknown) => SchemaFault | undefined {
  const validator = validatorOf(schema);
  return (value) => (validator().Check(value) ? undefined : faultOf(asJsonSchema(schema), validator().Errors(value)));
}

/** Returns a function that returns a schema's validator, compiled at first use: a service has hundreds of schemas. */
export function validatorOf(schema: TSchema): () => Validator {
  return () => {
    const found = validators.get(schema);
    if (found) return found;
    const validator = Compile(schema);
    validators.set(schema, validator);
    return validator;
  };
}

/** Shared by routes with the same schema. */
const validators = new WeakMap<TSchema, Validator>();

function faultOf(root: JsonSchema, errors: readonly TLocalizedValidationError[]): SchemaFault {
  const error = mostHelpfulError(errors);
  if (!error) return { field: "", must: "is not valid" };
  const path = steps(error.instancePath).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  if (error.keyword === "required") {
    return { field: printPath([...path, error.params.requiredProperties[0] ?? ""]), must: "is required" };
  }
  if (error.keyword === "boolean") return { field: printPath(path), must: "is not known" };
  const schema = schemaAt(root, error.schemaPath);
  return { field: printPath(path), must: schema ? `must be ${describe(schema)}` : error.message };
}

/** Returns the most helpful error. For a value that fits no alternative: the deepest error, or that of all alternatives. */
function mostHelpfulError(errors: readonly TLocalizedValidationError[]): TLocalizedValidationError | undefined {
  const [first] = errors;
  const choice = errors.find(
    ({ keyword, schemaPath }) =>
      (keyword === "anyOf" || keyword === "oneOf") && first?.schemaPath.startsWith(`${schemaPath}/`),
  );
  if (!choice) return first;
  return errors
    .filter(({ schemaPath }) => schemaPath.startsWith(`${choice.schemaPath}/`))
    .reduce((deepest, error) => (error.instancePath.length > deepest.instancePath.length ? error : deepest), choice);
}

const steps = (pointer: string) =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

function schemaAt(root: JsonSchema, pointer: string): JsonSchema | undefined {
  let at: unknown = root;
  for (const step of steps(pointer)) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Reflect.get(at, step);
  }
  return typeof at === "object" && at !== null ? at : undefined;
}

/** Describes the values that a schema accepts, in words that follow "must be". */
export function describe(schema: JsonSchema): string {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return [...new Set(alternatives.map(describe))].join(" or ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return "of another form";
  return types.map((type) => describeType(type, schema)).join(" or ");
}

function describeType(type: string, schema: JsonSchema): string {
  switch (type) {
    case "integer":
      return `an integer${range(schema.minimum, schema.maximum)}`;
    case "number":
      return `a number${range(schema.minimum, schema.maximum)}`;
    case "string":
      return `a string${sized(schema.minLength, schema.maxLength, "character")}${form(schema)}`;
    case "array":
      return `an array${sized(schema.minItems, schema.maxItems, "item")}${like(schema)}`;
    case "object":
      return `an object${like(schema)}`;
    case "boolean":
      return "true or false";
    default:
      return type;
  }
}

/** An example of the schema, if there is one. */
function like(schema: JsonSchema): string {
  const example = exampleOf(schema);
  return example === undefined ? "" : ` such as ${JSON.stringify(example)}`;
}

function exampleOf({ examples, items }: JsonSchema): unknown {
  if (examples?.[0] !== undefined || !items) return examples?.[0];
  const item = exampleOf(items);
  return item === undefined ? undefined : [item];
}

function range(least: number | undefined, most: number | undefined): string {
  return least !== undefined && most !== undefined ? ` from ${least} to ${most}` : sized(least, most);
}

function sized(least: number | undefined, most: number | undefined, unit = ""): string {
  const units = (count: number) => unit && ` ${unit}${count === 1 ? "" : "s"}`;
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most}${units(most)}`;
  if (least !== undefined) return ` of at least ${least}${units(least)}`;
  return most === undefined ? "" : ` of at most ${most}${units(most)}`;
}

const form = ({ format, pattern }: JsonSchema) =>
  format ? ` in the format ${format}` : pattern ? ` that matches ${pattern}` : "";
