/** All operations, from the service's own OpenAPI document. */
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** The part of JSON Schema that the document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly additionalProperties?: boolean | Schema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With parameters as `{zone}`. */
  readonly path: string;
  readonly params: readonly string[];
  /** The path up to and including each parameter. */
  readonly prefixes: readonly string[];
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
  readonly body: Schema | undefined;
  readonly takesFile: boolean;
  /** How the body of a reply with status 200 violates its schema; undefined if it does not. */
  readonly faultOfReply: (body: unknown) => string | undefined;
  /** `any`, `open`, or rights, one of which is enough. */
  readonly rights: readonly string[];
  /** The parameter in deeper paths that names the object created by this operation. */
  readonly child: string | undefined;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Documented {
  readonly operationId: string;
  readonly "x-right": string | readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export async function operationsOf(url: string): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${url}/v1/openapi.json`)).json()) as Document;
  const known = Object.keys(paths);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => operation(path, method, documented, known)),
  );
}

function operation(path: string, method: string, documented: Documented, known: readonly string[]): Operation {
  const { parameters = [], requestBody, responses } = documented;
  const content = requestBody?.content ?? {};
  const below = known.find((other) => other.startsWith(`${path}/{`));
  return {
    id: documented.operationId,
    method: method.toUpperCase(),
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    prefixes: [...path.matchAll(/\}/g)].map(({ index }) => path.slice(0, index + 1)),
    query: parameters.filter((parameter) => parameter.in === "query"),
    body: (content["application/json"] ?? content["text/plain"])?.schema,
    takesFile: "text/plain" in content,
    faultOfReply: validator(responses["200"]?.content?.["application/json"]?.schema),
    rights: [documented["x-right"]].flat(),
    child: below && /^\{(\w+)\}/.exec(below.slice(path.length + 1))?.[1],
  };
}

function validator(schema: Schema | undefined): Operation["faultOfReply"] {
  if (schema === undefined) return () => undefined;
  const compiled = Compile(asTypeBox(schema));
  return (body) => {
    const [error] = compiled.Check(body) ? [] : compiled.Errors(body);
    return error && `${error.instancePath} ${error.message}`;
  };
}

/** TypeBox compiles any JSON Schema, although its type requires its own schemas. */
const asTypeBox = (schema: Schema) => schema as TSchema;
