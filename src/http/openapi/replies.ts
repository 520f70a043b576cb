/** Replies in the OpenAPI document: successes and refusals, with their headers. */
import { Type } from "typebox";
import type { Route } from "../route/route.ts";

/** The body of a refusal. */
export const problem = Type.Object({
  message: Type.String({ description: "The error for people; existing clients compare some of these texts" }),
  code: Type.String({ description: "The error for programs; stable" }),
  details: Type.Optional(Type.Unsafe<object>({ type: "object", description: "Names, limits and positions" })),
});

const json = "application/json";

/** The fields of a route that decide how it can answer. */
type Shape = Pick<Route<unknown, unknown>, "method" | "path" | "right" | "body" | "ownTransaction">;

interface Row {
  readonly name: string;
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  /** Whether a route can give this answer; default: every route can. */
  readonly on?: (route: Shape) => boolean;
}

const isWrite = ({ method }: Shape) => method !== "GET";
const hasBody = ({ body }: Shape) => body !== undefined;
const isGuarded = ({ right }: Shape) => right !== "open";

const refusals: Readonly<Record<string, Row>> = {
  400: {
    name: "Invalid",
    description:
      "The request is wrong, conflicts with the current state, or needs an unsupported feature. Unknown fields and query " +
      "parameters are refused for sessions and with `?strict=true`, and are warnings otherwise",
  },
  401: { name: "Unauthenticated", description: "No key or session, or an unknown key or session", on: isGuarded },
  403: {
    name: "Denied",
    description: "The key or user lacks the right, or may not connect from this address",
    on: isGuarded,
  },
  404: { name: "Missing", description: "The object does not exist, or belongs to another account" },
  405: {
    name: "NotAllowed",
    description: "The path does not have this method, or only DNSSEC signing makes records of this type",
    headers: ["Allow"],
    on: (route) => isWrite(route) && route.path.includes(":"),
  },
  412: {
    name: "PreconditionFailed",
    description:
      "If-Match or If-None-Match is not met. After If-Match, `details.etag` is the present tag, and `details.current` the " +
      "present state as GET shows it, if the caller may read it and it is not too large",
    on: (route) => isWrite(route) && !route.ownTransaction,
  },
  413: { name: "TooLarge", description: "The body is too large", on: hasBody },
  415: {
    name: "UnsupportedMedia",
    description: "The body has a Content-Encoding, or a request with a session has a Content-Type other than JSON",
    on: hasBody,
  },
  429: {
    name: "Limited",
    description: "The rate limit or a limit of concurrent work is reached",
    headers: ["Retry-After"],
  },
  503: {
    name: "Unavailable",
    description:
      "The store is unreachable or busy; nothing was changed, unless the message says that the outcome is unknown",
    headers: ["Retry-After"],
  },
  507: { name: "Full", description: "The store's disk is full", on: isWrite },
};

const headers = {
  ETag: "The tag of this reply; for If-None-Match, and for If-Match of a write to this path",
  Link: 'The next page, as rel="next"',
  "X-Total-Count": "The total number of items, where it is known",
  "X-Fairlead-Change": "The id of the change, for GET /v1/changes/:id; absent when nothing changed",
  Warning: 'What the request asked for without effect: `299 - "..."` for each; also in the field `warnings` of objects',
  "Idempotency-Replayed": "true when this is the reply of an earlier request with the same Idempotency-Key",
  "X-RateLimit-By": "Whose requests are counted: customer (the account's), or ip (the address's, without a valid key)",
  "X-RateLimit-Limit": "Requests allowed per period, for this account and method",
  "X-RateLimit-Remaining": "Requests left",
  "X-RateLimit-Period": "Length of the period in seconds",
  "Retry-After": "Seconds to wait",
  Allow: "The methods of the path",
} as const;

type HeaderName = keyof typeof headers;

const always: readonly HeaderName[] = [
  "X-RateLimit-By",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Period",
];

/** For `components`. */
export const headerComponents = Object.fromEntries(
  Object.entries(headers).map(([name, description]) => [name, { description, schema: Type.String() }]),
);

/** For `components`. */
export const responseComponents = Object.fromEntries(
  Object.values(refusals).map(({ name, description, headers: own = [] }) => [
    name,
    {
      description,
      headers: referencesTo([...own, ...always]),
      content: { [json]: { schema: { $ref: "#/components/schemas/Error" } } },
    },
  ]),
);

export function replyOf<Right, Ctx>(route: Route<Right, Ctx>) {
  const { method, page, firstPage, ownTransaction } = route;
  const own: HeaderName[] = method === "GET" ? ["ETag"] : ownTransaction ? [] : ["X-Fairlead-Change"];
  if (page !== undefined || firstPage) own.push("Link", "X-Total-Count");
  if ((method === "PUT" || method === "POST") && !ownTransaction) own.push("Idempotency-Replayed");
  return {
    description: "Done",
    headers: referencesTo([...own, "Warning", ...always]),
    content: contentOf(route),
  };
}

function contentOf<Right, Ctx>({ reply, confirmation, produces = {} }: Route<Right, Ctx>) {
  if (confirmation !== undefined) return { "text/plain": { schema: Type.Literal(`${confirmation}\n`) } };
  const files = Object.fromEntries(Object.entries(produces).map(([type, schema]) => [type, { schema }]));
  if (reply === "download") return files;
  const schema = reply === "status" ? Type.Object({}) : reply;
  const file = produces[json];
  return Object.assign({ [json]: { schema } }, files, file && { [json]: { schema: Type.Union([schema, file]) } });
}

export const refusalsOf = <Right, Ctx>(route: Route<Right, Ctx>) =>
  Object.fromEntries(
    Object.entries(refusals)
      .filter(([, { on }]) => on === undefined || on(route))
      .map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
  );

function referencesTo(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
