/** The OpenAPI document, made from the declared routes. */
import { Type } from "typebox";
import { strictParameter } from "../route/query.ts";
import type { Route } from "../route/route.ts";
import { asJsonSchema, isDispensable, type JsonSchema } from "../route/schema.ts";
import { headerComponents, problem, refusalsOf, replyOf, responseComponents } from "./replies.ts";

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** A pure function of the routes: the same list yields the same document. */
export function openapiOf<Right, Ctx>(routes: readonly Route<Right, Ctx>[], info: ApiInfo) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info,
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ nsone_key: [] }, { service_key: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes,
      parameters: commonParameters,
      headers: headerComponents,
      responses: responseComponents,
      schemas: { Error: problem },
    },
  };
}

const securitySchemes = {
  nsone_key: { type: "apiKey", in: "header", name: "X-NSONE-Key" },
  service_key: { type: "apiKey", in: "header", name: "X-SERVICE-Key" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "fairlead",
    description:
      "The session cookie that signing in sets; with https its name is __Host-fairlead. Writes need the header " +
      "X-CSRF-Token, an Origin of this service, and the Content-Type application/json. A request with a key header " +
      "ignores the cookie.",
  },
};

const strictReference = { $ref: "#/components/parameters/Strict" };

const commonParameters = {
  Strict: queryParameter(strictParameter, {
    type: "boolean",
    description:
      "Whether unknown fields and parameters are refused; true for sessions and false for keys when left out",
  }),
  IfNoneMatch: header("If-None-Match", "ETags that the caller has; the answer is 304 when one is current"),
  IfMatch: header("If-Match", "The ETag that GET of this path must have; otherwise the write is refused with 412"),
  IdempotencyKey: header(
    "Idempotency-Key",
    "A repeated request with the same key within 24 hours gets the first answer again",
  ),
};

function operationOf<Right, Ctx>(route: Route<Right, Ctx>) {
  const { method, path, summary, desc, tag, right, log, exactQuery } = route;
  const refused = "Unknown query parameters are refused.";
  return {
    operationId: operationId(method, path),
    summary,
    description: [desc, exactQuery && refused, neededRight(right)].filter((text) => text !== undefined).join("\n\n"),
    tags: [tag],
    ...(right === "open" ? { security: [] } : {}),
    "x-right": right,
    ...(log ? { "x-activity": log } : {}),
    parameters: [...pathParameters(path), ...queryParameters(route), strictReference, ...headersOf(route)],
    ...bodyOf(route),
    responses: { 200: replyOf(route), ...refusalsOf(route) },
  };
}

function neededRight(right: unknown): string {
  if (right === "open") return "Needs no key.";
  if (right === "any") return "Needs any valid key, or a session.";
  return `Needs the right ${[right]
    .flat()
    .map((name) => `\`${name}\``)
    .join(" or ")}.`;
}

const operationId = (method: string, path: string) =>
  [method.toLowerCase(), ...path.split("/").filter((part) => part !== "")].join("_").replace(/[^\w]/g, "");

const pathParameters = (path: string) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: "path", required: true, schema: Type.String() }));

function queryParameters<Right, Ctx>({ query, page }: Route<Right, Ctx>) {
  const { properties = {}, required = [] }: JsonSchema = query ? asJsonSchema(query) : {};
  const declared = Object.entries(properties).map(([name, schema]) =>
    queryParameter(name, schema, required.includes(name)),
  );
  if (page === undefined) return declared;
  return [
    ...declared,
    queryParameter("limit", { type: "integer", minimum: 1, description: `Items per page, at most ${page}` }),
    queryParameter("after", { type: "string", description: "The start of the page, from the Link header" }),
  ];
}

function queryParameter(name: string, { description, ...schema }: JsonSchema, required = false) {
  return { name, in: "query", required, ...(description === undefined ? {} : { description }), schema };
}

function header(name: string, description: string) {
  return { name, in: "header", required: false, description, schema: Type.String() };
}

function headersOf<Right, Ctx>({ method, ownTransaction }: Route<Right, Ctx>) {
  if (ownTransaction) return [];
  const ofWrites = method === "DELETE" ? ["IfMatch"] : ["IfMatch", "IdempotencyKey"];
  const names = method === "GET" ? ["IfNoneMatch"] : ofWrites;
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function bodyOf<Right, Ctx>({ body, upload }: Route<Right, Ctx>) {
  if (body && upload !== undefined) {
    const form = { type: "object", properties: { [upload]: body }, required: [upload] };
    const content = { "multipart/form-data": { schema: form }, "text/plain": { schema: body } };
    return { requestBody: { required: true, content } };
  }
  return body ? { requestBody: { required: !isDispensable(body), content: json(body) } } : {};
}

function json(schema: object) {
  return { "application/json": { schema } };
}
