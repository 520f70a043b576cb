/**
 * A request's way through the kit, each step with its one way to fail: route (404) -> authenticate (401) -> allow list
 * (403) -> right (403) -> parse (400) -> transaction { handler (404, 400), activity, change } -> reply through its
 * schema -> publish. The last three belong to the service's transaction: a reply that cannot be printed changes nothing.
 */
import type { Log } from "../lib/log.ts";
import { limited, missing, Problem, unauthenticated } from "../lib/problem.ts";
import { idempotencyOf, preconditionOf } from "./conditions.ts";
import { contentOf, type Endpoint } from "./endpoint.ts";
import { etagOf, isKnown } from "./etag.ts";
import { parseJson } from "./json.ts";
import { keyOf } from "./key.ts";
import { nextLink } from "./page.ts";
import { type Pairs, pairsOf } from "./query.ts";
import { type Limiter, rateHeaders } from "./rate.ts";
import { refusalOf } from "./refusal.ts";
import { commonHeaders, crossOriginHeaders, type Request, type Response } from "./request.ts";
import { type AnyInput, Paged, Unchanged } from "./route.ts";
import type { Service } from "./service.ts";

export interface Kit<Caller, Right extends string, Ctx> {
  readonly service: Service<Caller, Right, Ctx>;
  readonly limiter: Limiter;
  readonly log: Log;
}

type Headers = Record<string, string>;

/** Runs a request whose route was found. */
export function run<Caller, Right extends string, Ctx>(
  kit: Kit<Caller, Right, Ctx>,
  endpoint: Endpoint<Right, Ctx>,
  request: Request,
): Promise<Response> {
  const { service } = kit;
  const { route } = endpoint;
  return answer(kit, request, route.path, async (headers) => {
    const caller = await authenticate(kit, request, headers);
    if (caller !== undefined) service.admit(caller, request.origin.address);
    if (route.right !== "open") {
      if (caller === undefined) throw unauthenticated("Unauthorized: a valid API key is needed in X-NSONE-Key");
      if (route.right !== "any") service.permit(caller, route.right, route.target?.(request.params));
    }
    const parsed = await parse(endpoint, request);
    return route.method === "GET"
      ? read(kit, endpoint, request, caller, parsed)
      : write(kit, endpoint, request, caller, parsed);
  });
}

/** Answers a request that is wrong before a route could be looked for. */
export function refuse<Caller, Right extends string, Ctx>(
  kit: Kit<Caller, Right, Ctx>,
  request: Request,
  problem: Problem,
): Promise<Response> {
  return answer(kit, request, "unrouted", async () => {
    throw problem;
  });
}

/** Answers a request that no route takes; `methods` are those that its path knows. */
export function refuseUnrouted<Caller, Right extends string, Ctx>(
  kit: Kit<Caller, Right, Ctx>,
  request: Request,
  methods: readonly string[],
): Promise<Response> {
  return answer(kit, request, "unrouted", async (headers) => {
    charge(kit, request, undefined, headers);
    if (methods.length === 0) throw missing("no such endpoint", { path: request.path.slice(0, 300) });
    const allow = [...methods, "OPTIONS"].join(", ");
    headers["allow"] = allow;
    if (request.method === "OPTIONS") return { status: 204, headers: preflight(allow), body: "" };
    throw new Problem("method_not_allowed", `the method ${request.method} is not allowed here`, { allow });
  });
}

/** Answers what is open to everybody and the same for all: the API's own description. */
export function serveOpen<Caller, Right extends string, Ctx>(
  kit: Kit<Caller, Right, Ctx>,
  request: Request,
  produce: () => Promise<Response>,
): Promise<Response> {
  return answer(kit, request, request.path, async (headers) => {
    charge(kit, request, undefined, headers);
    return produce();
  });
}

/** Whatever happens, an answer with the headers that every answer carries. `headers` gathers those known so far. */
async function answer<Caller, Right extends string, Ctx>(
  kit: Kit<Caller, Right, Ctx>,
  request: Request,
  what: string,
  produce: (headers: Headers) => Promise<Response>,
): Promise<Response> {
  const headers: Headers = { ...commonHeaders, "x-request-id": request.id };
  if (request.headers.origin !== undefined) Object.assign(headers, crossOriginHeaders);
  try {
    const response = await produce(headers);
    return { ...response, headers: { ...headers, ...response.headers } };
  } catch (error) {
    if (headers["x-ratelimit-limit"] === undefined) chargeQuietly(kit, request, headers);
    const refusal = refusalOf(error, request.id, what, kit.log);
    return { ...refusal, headers: { ...headers, ...refusal.headers } };
  }
}

async function authenticate<Caller, Right extends string, Ctx>(
  kit: Kit<Caller, Right, Ctx>,
  request: Request,
  headers: Headers,
): Promise<Caller | undefined> {
  const caller = await kit.service.authenticate(keyOf(request.headers), request.origin.address);
  charge(kit, request, caller, headers);
  return caller;
}

function charge<Caller, Right extends string, Ctx>(
  kit: Kit<Caller, Right, Ctx>,
  request: Request,
  caller: Caller | undefined,
  headers: Headers,
): void {
  const allowance = chargeQuietly(kit, request, headers, caller);
  if (allowance.allowed) return;
  const { limit, period, retryAfter } = allowance;
  throw limited("Rate limit exceeded", { limit, period, retry_after: retryAfter });
}

function chargeQuietly<Caller, Right extends string, Ctx>(
  { service, limiter }: Kit<Caller, Right, Ctx>,
  request: Request,
  headers: Headers,
  caller?: Caller,
) {
  const known = caller !== undefined;
  const bucket = known ? `${methodClass(request.method)} ${service.accountOf(caller)}` : request.origin.bucket;
  const allowance = limiter.take(bucket, service.rate(caller));
  Object.assign(headers, rateHeaders(allowance, known ? "customer" : "ip"));
  return allowance;
}

const methodClass = (method: string) => (method === "HEAD" ? "GET" : method);

interface Parsed {
  readonly input: AnyInput;
  readonly pairs: Pairs;
  /** Octets of the body; empty on GET and DELETE, whose bodies mean nothing. */
  readonly octets: Uint8Array;
}

const nothing = new Uint8Array();

async function parse<Right, Ctx>(endpoint: Endpoint<Right, Ctx>, request: Request): Promise<Parsed> {
  const { route } = endpoint;
  const pairs = pairsOf(request.query);
  const query = endpoint.readQuery(pairs);
  const page = endpoint.readPage(pairs);
  const reads = route.body !== undefined && route.method !== "GET" && route.method !== "DELETE";
  const octets = reads ? await request.body(endpoint.maxBody) : nothing;
  const body = parseJson(octets, endpoint.jsonLimits);
  if (reads) endpoint.checkBody(body);
  return { input: { params: request.params, query, body, page }, pairs, octets };
}

async function read<Caller, Right extends string, Ctx>(
  { service }: Kit<Caller, Right, Ctx>,
  endpoint: Endpoint<Right, Ctx>,
  request: Request,
  caller: Caller | undefined,
  { input, pairs }: Parsed,
): Promise<Response> {
  const result = await service.read(caller, (ctx) => endpoint.route.run(input, ctx));
  const body = endpoint.print(result);
  const etag = etagOf(body);
  const headers: Headers = { etag };
  if (endpoint.route.secret) headers["cache-control"] = "no-store";
  if (result instanceof Paged) {
    if (result.total !== undefined) headers["x-total-count"] = String(result.total);
    if (result.next !== undefined) {
      headers["link"] = nextLink(request.site, request.path, pairs, input.page, result.next);
    }
  }
  return isKnown(request.headers["if-none-match"], etag)
    ? { status: 304, headers, body: "" }
    : { status: 200, headers, body };
}

async function write<Caller, Right extends string, Ctx>(
  { service }: Kit<Caller, Right, Ctx>,
  endpoint: Endpoint<Right, Ctx>,
  request: Request,
  caller: Caller | undefined,
  { input, octets }: Parsed,
): Promise<Response> {
  const { route } = endpoint;
  const written = await service.write(
    caller,
    {
      requestId: request.id,
      address: request.origin.address,
      log: route.log,
      idempotency: caller === undefined ? undefined : idempotencyOf(endpoint, request, octets),
      secret: route.secret ?? false,
      precondition: preconditionOf(endpoint, request),
    },
    async (ctx) => {
      const result = await route.run(input, ctx);
      const reply = { status: 200, body: endpoint.print(result) };
      return { changed: !(result instanceof Unchanged), resource: contentOf(result), reply };
    },
  );
  const headers: Headers = {};
  if (route.secret) headers["cache-control"] = "no-store";
  if (written.change !== undefined) headers["x-fairlead-change"] = written.change;
  if (written.replayed) headers["idempotency-replayed"] = "true";
  return { ...written.reply, headers };
}

const preflight = (allow: string): Headers => ({
  "access-control-allow-methods": allow,
  "access-control-allow-headers":
    "X-NSONE-Key, X-SERVICE-Key, X-NSONE-Js-Api, Content-Type, If-Match, If-None-Match, Idempotency-Key",
  "access-control-max-age": "86400",
});
