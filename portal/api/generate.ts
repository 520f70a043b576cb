/**
 * Writes the types of the API's requests and replies from its OpenAPI document: `npm run portal:types`. A shape that has
 * a name in the document becomes an interface; all others are written where they are used.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Schema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const head = `/** The requests and replies of the API. Written by \`npm run portal:types\` from docs/openapi.json. */\n`;

/** Returns the text of the types for a document. */
export function typesOf({ paths }: Document): string {
  const named = new Map<string, { readonly schema: string; readonly text: string }>();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters, requestBody, responses } = operation;
      const own = parameters.filter(({ $ref }) => $ref === undefined);
      const fields = [
        `path: ${parametersOf(own, "path", named)};`,
        `query: ${parametersOf(own, "query", named)};`,
        `body: ${bodyOf(requestBody, named)};`,
        `reply: ${contentOf(responses["200"]?.content, named)};`,
      ];
      return `  "${method.toUpperCase()} ${path}": {\n${fields.map((field) => `    ${field}`).join("\n")}\n  };`;
    }),
  );
  const interfaces = [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { text }]) => `export type ${name} = ${text};`);
  return `${head}\n${interfaces.join("\n\n")}\n\nexport interface Operations {\n${operations.join("\n")}\n}\n`;
}

type Named = Map<string, { readonly schema: string; readonly text: string }>;

function parametersOf(parameters: readonly Parameter[], place: string, named: Named): string {
  const fields = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, schema }) => `${keyOf(name)}${required ? "" : "?"}: ${typeOf(schema, named)}`);
  return fields.length > 0 ? `{ ${fields.join("; ")} }` : "undefined";
}

function bodyOf(body: Operation["requestBody"], named: Named): string {
  if (body === undefined) return "undefined";
  const type = contentOf(body.content, named);
  return body.required ? type : `${type} | undefined`;
}

function contentOf(content: Content | undefined, named: Named): string {
  const schema = content?.["application/json"]?.schema;
  return schema ? typeOf(schema, named) : content ? "string" : "undefined";
}

function typeOf(schema: Schema, named: Named): string {
  const { $id } = schema;
  if ($id === undefined) return shapeOf(schema, named);
  const text = JSON.stringify(schema);
  const known = named.get($id);
  if (known === undefined) {
    // the name is known before its shape, which may contain it
    named.set($id, { schema: text, text: "" });
    named.set($id, { schema: text, text: shapeOf(schema, named) });
  } else if (known.schema !== text) return shapeOf(schema, named);
  return $id;
}

function shapeOf(schema: Schema, named: Named): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return unique(union.map((one) => typeOf(one, named))).join(" | ");
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one, named)})`).join(" & ");
  if (schema.type === undefined) return schema.properties ? objectOf(schema, named) : "unknown";
  return unique([schema.type].flat().map((type) => primitiveOf(type, schema, named))).join(" | ");
}

function primitiveOf(type: string, schema: Schema, named: Named): string {
  if (type === "integer" || type === "number") return "number";
  if (type === "string" || type === "boolean" || type === "null") return type;
  if (type === "array") return `Array<${schema.items ? typeOf(schema.items, named) : "unknown"}>`;
  return objectOf(schema, named);
}

function objectOf(schema: Schema, named: Named): string {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  const fields = Object.entries(properties).map(
    ([name, field]) => `${keyOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(field, named)}`,
  );
  const more = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const rest = Object.values(patternProperties ?? {})[0] ?? more;
  // not the utility type Record: one of the API's shapes has this name
  if (fields.length === 0) return `{ [key: string]: ${rest ? typeOf(rest, named) : "unknown"} }`;
  const isOpen = additionalProperties === true || rest !== undefined;
  return `{ ${fields.join("; ")} }${isOpen ? " & { [key: string]: unknown }" : ""}`;
}

const unique = (types: readonly string[]) => [...new Set(types)];

const keyOf = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));

/** The document in the docs, and the file with its types. */
export const files = {
  document: join(import.meta.dirname, "../../docs/openapi.json"),
  types: join(import.meta.dirname, "types.ts"),
};

if (process.argv[1] === import.meta.filename) {
  writeFileSync(files.types, typesOf(JSON.parse(readFileSync(files.document, "utf8"))));
}
