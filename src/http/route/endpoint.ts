/** Prepares routes for execution: schemas are compiled once, and each write knows the GET of its path, for entity tags. */
import { invalid } from "../../lib/problem.ts";
import { isObject } from "../../lib/values.ts";
import type { BodyLimits } from "../body/bodies.ts";
import { defaultLimits, printPath } from "../body/json.ts";
import type { Pieces } from "../message/pieces.ts";
import { pageOf } from "./page.ts";
import { type Pairs, queryBounds, queryReader } from "./query.ts";
import { printerOf } from "./reply.ts";
import { type Page, Reply, type ReplyOptions, type Route } from "./route.ts";
import { asJsonSchema, checkOf, isDispensable } from "./schema.ts";
import { fieldsByTag, type TagFields, unknownFieldsIn } from "./spelling.ts";
import type { Warnings } from "./warnings.ts";

export interface Endpoint<Right = string, Ctx = unknown> {
  readonly route: Route<Right, Ctx>;
  readonly bodyLimits: BodyLimits;
  /** Warns of unknown parameters, or throws. */
  assertKnown(pairs: Pairs, warnings: Warnings): void;
  readQuery(pairs: Pairs): Readonly<Record<string, unknown>>;
  readPage(pairs: Pairs): Page;
  /**
   * Returns the body for the handler, from a body that may be missing. Warns of unknown fields, or throws `invalid` with the
   * field's name.
   */
  readBody(body: unknown, warnings: Warnings): unknown;
  /** Prints the body of the reply from the handler's result, with warnings if it is an object with known fields. */
  print(result: unknown, warnings?: readonly string[]): string;
  /** The same text, for replies that may be long: long lists are printed in steps, between which other requests go first. */
  printInSteps(result: unknown, warnings?: readonly string[]): string | Promise<Pieces>;
  /** The GET of the same path. */
  readonly sibling: Endpoint<Right, Ctx> | undefined;
}

export const defaultMostBody = 4 * 1024 * 1024;
/** The most octets of a body that needs no key. */
export const openMostBody = 16 * 1024;

export interface EndpointOptions {
  /** Checks each reply against its schema; for tests. */
  readonly strict: boolean;
  /** The most octets of an uploaded file. */
  readonly uploadLimit: number;
}

export function endpointsOf<Right, Ctx>(
  routes: readonly Route<Right, Ctx>[],
  options: EndpointOptions,
): Endpoint<Right, Ctx>[] {
  const fields = fieldsByTag(routes);
  const made = (route: Route<Right, Ctx>) => endpointOf(route, fields.get(route.tag) ?? new Map(), options);
  const reads = new Map(routes.filter(({ method }) => method === "GET").map((route) => [route.path, made(route)]));
  return routes.map((route) => {
    const read = reads.get(route.path);
    return route.method === "GET" && read ? read : { ...made(route), sibling: read };
  });
}

function endpointOf<Right, Ctx>(
  route: Route<Right, Ctx>,
  tagFields: TagFields,
  { strict, uploadLimit }: EndpointOptions,
): Endpoint<Right, Ctx> {
  const { confirmation } = route;
  const confirm = () => `${confirmation}\n`;
  const { print, printInSteps } =
    confirmation === undefined ? printerOf(route.reply, strict) : { print: confirm, printInSteps: confirm };
  return {
    route,
    bodyLimits: bodyLimitsOf(route, uploadLimit),
    assertKnown: queryBounds(route),
    readQuery: queryReader(route.query),
    readPage: (pairs) => pageOf(pairs, route.page),
    readBody: bodyReader(route, tagFields),
    print: (result, warnings = []) => print(partsOf(result).body, warnings),
    printInSteps: (result, warnings = []) => printInSteps(partsOf(result).body, warnings),
    sibling: undefined,
  };
}

function bodyLimitsOf<Right, Ctx>(route: Route<Right, Ctx>, uploadLimit: number): BodyLimits {
  const { upload, right, mostBody = right === "open" ? openMostBody : defaultMostBody } = route;
  const { mostKeys: keys = defaultLimits.keys, mostValues: values = defaultLimits.values } = route;
  return { octets: upload === undefined ? mostBody : uploadLimit, json: { ...defaultLimits, keys, values } };
}

/** Splits a handler's result into the body and the options of its reply. */
export const partsOf = (result: unknown): { readonly body: unknown; readonly options: ReplyOptions } =>
  result instanceof Reply ? result : { body: result, options: {} };

function bodyReader<Right, Ctx>(
  { body: schema, upload }: Route<Right, Ctx>,
  tagFields: TagFields,
): Endpoint["readBody"] {
  if (!schema || upload !== undefined) return (body) => body;
  const check = checkOf(schema);
  const findUnknown = unknownFieldsIn(schema, tagFields);
  const isOptional = isDispensable(schema);
  const { properties } = asJsonSchema(schema);
  const known = new Set(Object.keys(properties ?? {}));
  return (body, warnings) => {
    if (body === undefined) {
      if (isOptional) return {};
      throw invalid("Input validation failed: the request must have a JSON body");
    }
    const object = properties && isObject(body) ? body : undefined;
    const unnamed = findUnknown(body, ({ path, meant }) =>
      warnings.addUnknown(printPath(path), meant && `did you mean ${meant}?`),
    );
    warnings.omit(unnamed);
    const fault = check(body);
    if (!fault) return object ? onlyThose(known, object) : body;
    if (fault.field === "") throw invalid(`Input validation failed: the body ${fault.must}`);
    throw invalid(`Input validation failed: field "${fault.field}" ${fault.must}`, { field: fault.field });
  };
}

/** Keeps the known fields only, so that no handler can pass on an unchecked field. */
const onlyThose = (known: ReadonlySet<string>, body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => known.has(name)));
