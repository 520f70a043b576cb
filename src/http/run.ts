/**
 * Runs a request step by step, each with the status of its refusal: route (404, 405) -> guard against cross-site
 * requests (403, 415) -> authenticate -> rate limit (429) -> allow list (403) -> key (401) -> right (403) -> parse (400,
 * 408, 413, 415) -> after a body, authenticate, allow list and right again -> transaction { preconditions (412), handler
 * (400, 404, 409), activity, change, print the reply through its schema } -> publish. An error in the transaction rolls
 * everything back.
 */
import { setImmediate as immediate } from "node:timers/promises";
import type { Allowance, Buckets } from "../lib/fair/bucket.ts";
import type { Log } from "../lib/log.ts";
import { invalid, limited, missing, Problem, unauthenticated } from "../lib/problem.ts";
import type { Bodies, HeldBody } from "./body/bodies.ts";
import { uploadOf } from "./body/upload.ts";
import { idempotencyOf, preconditionOf } from "./conditions.ts";
import { type ClientNames, networkBuckets } from "./message/address.ts";
import { cookieName } from "./message/cookie.ts";
import { type Credentials, credentialsOf } from "./message/credentials.ts";
import { etagOf, isKnown } from "./message/etag.ts";
import { refusalOf } from "./message/refusal.ts";
import { commonHeaders, crossOriginHeaders, preflightHeaders, type Request, type Response } from "./message/request.ts";
import type { UnreadAnswers } from "./message/unread.ts";
import { referencePaths } from "./openapi/reference.ts";
import { kept, type Portal } from "./pages/portal.ts";
import { rateHeaders } from "./rate.ts";
import { type Endpoint, partsOf } from "./route/endpoint.ts";
import { pageHeaders } from "./route/page.ts";
import { type Pairs, pairsOf, strictnessIn } from "./route/query.ts";
import { type AnyInput, Download } from "./route/route.ts";
import type { Find, Recheck, Sender, Service, StoredReply, Written } from "./route/service.ts";
import { Warnings, warningHeader } from "./route/warnings.ts";
import { assertFromHere, assertJsonType, assertOwnSite } from "./site.ts";

type Headers = Record<string, string>;

interface Parsed {
  readonly input: AnyInput;
  readonly pairs: Pairs;
  readonly warnings: Warnings;
  /** The octets of the body; empty on GET and DELETE, whose bodies are ignored. */
  readonly octets: Uint8Array;
}

interface Identity<Caller> {
  readonly caller: Caller | undefined;
  readonly sender: Sender;
  readonly recheck: Recheck<Caller>;
}

export interface RunnerOptions {
  readonly log: Log;
  /** The URL of the service for people: it decides which pages may use sessions, and whether cookies need https. */
  readonly publicUrl: string;
  /** The beginning of links in replies, if it is configured; otherwise links have the host that the client asked. */
  readonly linkBase?: string | undefined;
}

/** Resources that accounts and addresses share. */
export interface Shares {
  readonly buckets: Buckets;
  readonly bodies: Bodies;
  readonly answers: UnreadAnswers;
}

export class Runner<Caller, Right extends string, Ctx> {
  readonly #service: Service<Caller, Right, Ctx>;
  readonly #buckets: Buckets;
  readonly #log: Log;
  readonly #publicUrl: string;
  readonly #linkBase: string | undefined;
  readonly #bodies: Bodies;
  readonly #answers: UnreadAnswers;

  constructor(service: Service<Caller, Right, Ctx>, { buckets, bodies, answers }: Shares, options: RunnerOptions) {
    this.#service = service;
    this.#buckets = buckets;
    this.#bodies = bodies;
    this.#answers = answers;
    this.#log = options.log;
    this.#publicUrl = options.publicUrl;
    this.#linkBase = options.linkBase;
  }

  /** Answers a request whose route was found. */
  run(endpoint: Endpoint<Right, Ctx>, request: Request): Promise<Response> {
    const { route } = endpoint;
    return this.#answer(request, route.path, async (headers) => {
      const sender = this.#senderOf(request);
      this.#guard(endpoint, request, sender.credentials);
      const first = await this.#find(endpoint, sender, this.#authenticate);
      this.#charge(request, first, headers);
      this.#admit(endpoint, request, first);
      const account = first && this.#service.accountOf(first);
      this.#answers.assertRead(account ?? request.origin.network);
      using body = this.#bodies.of(account, request.origin.network);
      const parsed = await parse(endpoint, request, body, sender.credentials.session !== undefined);
      const recheck: Recheck<Caller> = async (find) => {
        const caller = await this.#find(endpoint, sender, find);
        this.#admit(endpoint, request, caller);
        return caller;
      };
      // a body can arrive slowly, and the caller can lose its rights before the end
      const caller = parsed.octets.length > 0 ? await recheck(this.#authenticate) : first;
      const known = { caller, sender, recheck };
      const act = route.method === "GET" ? this.#read : route.ownTransaction ? this.#pass : this.#write;
      const response = await act.call(this, endpoint, request, known, parsed);
      return account === undefined ? response : { ...response, account };
    });
  }

  /** Answers a request that matches no route: with a page of the portal, or a refusal. `methods` are those of its path. */
  serveUnrouted(request: Request, methods: readonly string[], portal: Portal | undefined): Promise<Response> {
    return this.#answer(request, "unrouted", async (headers) => {
      this.#charge(request, undefined, headers);
      const page = await portal?.answer(request);
      // a browser keeps nothing that has `Pragma: no-cache`, whatever its `Cache-Control` says
      if (page?.headers["cache-control"] === kept) for (const name of ["pragma", "expires"]) delete headers[name];
      if (page) return page;
      if (methods.length === 0) {
        const hint = /^\/(?:v1\/?)?$/.test(request.path) ? `: ${referencePaths.page} lists the endpoints` : "";
        throw missing(`no such endpoint${hint}`, { path: request.path.slice(0, 300) });
      }
      const allow = [...methods, "OPTIONS"].join(", ");
      headers["allow"] = allow;
      if (request.method === "OPTIONS") return { status: 204, headers: preflightHeaders(allow), body: "" };
      throw new Problem("method_not_allowed", `the method ${request.method} is not allowed here`, { allow });
    });
  }

  /** Answers a request that was found to be wrong before routing. */
  refuse(request: Request, problem: Problem): Promise<Response> {
    return this.#answer(request, "unrouted", async () => {
      throw problem;
    });
  }

  /** Answers a request for content that is public and the same for every caller. */
  serveOpen(request: Request, produce: () => Promise<Response>): Promise<Response> {
    return this.#answer(request, request.path, async (headers) => {
      this.#charge(request, undefined, headers);
      return produce();
    });
  }

  /** Charges a request without a caller, or octets that are not a request, to the rate limits of its client and of the client's network. */
  takeFrom({ bucket, network }: ClientNames): Allowance {
    const rate = this.#service.rate(undefined);
    const own = this.#buckets.take(bucket, rate);
    if (!own.allowed || network === bucket) return own;
    const shared = this.#buckets.take(network, { ...rate, limit: rate.limit * networkBuckets });
    return shared.allowed ? own : shared;
  }

  /**
   * Adds the headers that all answers have, errors included. Headers that `produce` adds stay in a refusal; `route` names
   * the request in the log.
   */
  async #answer(request: Request, route: string, produce: (headers: Headers) => Promise<Response>): Promise<Response> {
    const headers: Headers = { ...commonHeaders, "x-request-id": request.id };
    if (request.headers.origin !== undefined) Object.assign(headers, crossOriginHeaders);
    try {
      const response = await produce(headers);
      return { ...response, headers: { ...headers, ...response.headers } };
    } catch (error) {
      if (headers["x-ratelimit-limit"] === undefined) this.#take(request, undefined, headers);
      const refusal = refusalOf(error, request.id, route, this.#log);
      return { ...refusal, headers: { ...headers, ...refusal.headers } };
    }
  }

  #senderOf({ method, headers, origin }: Request): Sender {
    const agent = headers["user-agent"] ?? "";
    const credentials = credentialsOf(method, headers, cookieName(this.#publicUrl));
    const { address, bucket, network } = origin;
    return { address, bucket, network, agent, credentials };
  }

  /** Refuses a request that a browser sends for a page of another site, or that is not from here where it must be. */
  #guard({ route }: Endpoint<Right, Ctx>, request: Request, { session, safe }: Credentials): void {
    if (route.fromHere) assertFromHere(request);
    const isOpen = route.right === "open";
    if (safe || (isOpen ? route.ownSite !== true : session === undefined)) return;
    assertOwnSite(request, this.#publicUrl, session !== undefined);
    if (route.body !== undefined && route.upload === undefined) assertJsonType(request);
  }

  /** Finds the caller. On open routes the session is left to the handler, valid or not. */
  #find({ route }: Endpoint<Right, Ctx>, sender: Sender, find: Find<Caller>): ReturnType<Find<Caller>> {
    const { credentials } = sender;
    const used = route.right === "open" ? { ...credentials, session: undefined } : credentials;
    return find(used, sender);
  }

  #authenticate: Find<Caller> = (credentials, sender) => this.#service.authenticate(credentials, sender);

  #admit(endpoint: Endpoint<Right, Ctx>, request: Request, caller: Caller | undefined): void {
    if (caller !== undefined) this.#service.admit(caller, request.origin.address);
    this.#permit(endpoint, request, caller);
  }

  #charge(request: Request, caller: Caller | undefined, headers: Headers): void {
    const { allowed, limit, period, retryAfter } = this.#take(request, caller, headers);
    if (!allowed) throw limited("Rate limit exceeded", { limit, period, retry_after: retryAfter });
  }

  #take(request: Request, caller: Caller | undefined, headers: Headers): Allowance {
    const service = this.#service;
    const method = request.method === "HEAD" ? "GET" : request.method;
    const allowance =
      caller === undefined
        ? this.takeFrom(request.origin)
        : this.#buckets.take(`${method} ${service.accountOf(caller)}`, service.rate(caller));
    Object.assign(headers, rateHeaders(allowance, caller === undefined ? "ip" : "customer"));
    return allowance;
  }

  #permit({ route }: Endpoint<Right, Ctx>, request: Request, caller: Caller | undefined): void {
    if (route.right === "open") return;
    if (caller === undefined)
      throw unauthenticated(
        "Unauthorized: a valid API key is needed in the header X-SERVICE-Key or X-NSONE-Key, or a session",
      );
    if (route.right === "any") return;
    this.#service.permit(caller, rightsOf(route.right), route.target?.(request.params), route.method !== "GET");
  }

  #isPermitted(endpoint: Endpoint<Right, Ctx>, request: Request, caller: Caller | undefined): boolean {
    try {
      this.#permit(endpoint, request, caller);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === "denied") return false;
      throw error;
    }
  }

  async #read(
    endpoint: Endpoint<Right, Ctx>,
    request: Request,
    { caller, sender }: Identity<Caller>,
    { input, pairs, warnings }: Parsed,
  ): Promise<Response> {
    const result = await this.#service.read(caller, { sender, warnings }, (ctx) => endpoint.route.run(input, ctx));
    const { list } = warnings;
    const file = result instanceof Download ? result.content : undefined;
    const text = file ? "" : await endpoint.printInSteps(result);
    // the tag is that of the reply without warnings, which belong to the request
    const etag = file ? file.etag : etagOf(text);
    const body = file ?? (list.length === 0 ? text : await endpoint.printInSteps(result, list));
    const paging = pageHeaders(partsOf(result).options, this.#linkBase, request, { pairs, page: input.page });
    const own = { ...cachingOf(endpoint), ...downloadHeaders(result), ...warningHeaders(list) };
    const headers: Headers = { etag, ...own, ...paging };
    if (!isKnown(request.headers["if-none-match"], etag)) return { status: 200, headers, body };
    await file?.close();
    return { status: 304, headers, body: "" };
  }

  /** Runs a write whose handler manages its own transactions. */
  async #pass(
    endpoint: Endpoint<Right, Ctx>,
    request: Request,
    { caller, ...from }: Identity<Caller>,
    { input, warnings }: Parsed,
  ): Promise<Response> {
    if (preconditionOf(endpoint, request, () => false))
      throw invalid("this endpoint does not support If-Match and If-None-Match");
    const result = await this.#service.read(caller, { ...from, warnings }, (ctx) => endpoint.route.run(input, ctx));
    const { options } = partsOf(result);
    const paging = pageHeaders(options, this.#linkBase, request);
    const headers: Headers = { ...cachingOf(endpoint), ...warningHeaders(warnings.list), ...paging };
    const { cookie, change } = options;
    if (cookie !== undefined) headers["set-cookie"] = cookie;
    if (change !== undefined) headers["x-fairlead-change"] = change;
    return { status: 200, headers, body: endpoint.print(result, warnings.list) };
  }

  async #write(
    endpoint: Endpoint<Right, Ctx>,
    request: Request,
    { caller, sender, recheck }: Identity<Caller>,
    { input, octets, warnings }: Parsed,
  ): Promise<Response> {
    const { route } = endpoint;
    let last: unknown;
    const written = await this.#service.write(
      caller,
      {
        requestId: request.id,
        recheck,
        sender,
        warnings,
        log: route.log,
        idempotency: caller === undefined ? undefined : idempotencyOf(endpoint, request, octets),
        shareable: (route.shareable ?? false) && octets.length <= mostShared,
        exclusive: route.exclusive ?? false,
        secret: route.secret ?? false,
        within: route.within ?? (octets.length > mostShared ? largeWithin : undefined),
        precondition: preconditionOf(endpoint, request, (read) => this.#isPermitted(read, request, caller)),
      },
      async (ctx) => {
        warnings.rewind();
        const result = await route.run(input, ctx);
        // others go first before a long reply is printed
        if (octets.length > mostShared) await immediate();
        const { body, options } = partsOf(result);
        const paging = pageHeaders(options, this.#linkBase, request);
        const reply = { status: 200, headers: paging, body: endpoint.print(result, warnings.list) };
        last = body;
        const { discarded = false, changed = !discarded, resource = body, before } = options;
        return { changed, discarded, resource, before, reply };
      },
    );
    const reply = await this.#settled(endpoint, caller, written, last, warnings);
    const warned = written.replayed ? warningsIn(reply.body) : warnings.list;
    const headers: Headers = { ...cachingOf(endpoint), ...textHeaders(endpoint), ...warningHeaders(warned) };
    if (written.change !== undefined) headers["x-fairlead-change"] = written.change;
    if (written.replayed) headers["idempotency-replayed"] = "true";
    return { ...reply, headers: { ...headers, ...reply.headers } };
  }

  /** The reply to a write after its commit; a stored reply stays as it is. */
  async #settled(
    { route, print }: Endpoint<Right, Ctx>,
    caller: Caller | undefined,
    { reply, change, replayed }: Written,
    body: unknown,
    warnings: Warnings,
  ): Promise<StoredReply> {
    if (!route.settle || caller === undefined || change === undefined || replayed) return reply;
    const { serials, outstanding } = await this.#service.settle(caller, change, route.settle.within);
    if (outstanding !== undefined) warnings.add("serial", outstanding);
    return { ...reply, body: print(route.settle.show(body, serials), warnings.list) };
  }
}

const nothing = { value: undefined, octets: new Uint8Array() };
/** The maximum octets of a body whose write may share its transaction; a larger body takes too long. */
const mostShared = 64 * 1024;
/** Milliseconds for the write of such a body. */
const largeWithin = 10_000;

const rightsOf = <Right extends string>(right: Right | readonly [Right, ...Right[]]): readonly [Right, ...Right[]] =>
  typeof right === "string" ? [right] : right;

async function parse<Right, Ctx>(
  endpoint: Endpoint<Right, Ctx>,
  request: Request,
  held: HeldBody,
  hasSession: boolean,
): Promise<Parsed> {
  const { route } = endpoint;
  const pairs = pairsOf(request.query);
  const warnings = new Warnings(strictnessIn(pairs) ?? hasSession);
  endpoint.assertKnown(pairs, warnings);
  const query = endpoint.readQuery(pairs);
  const page = endpoint.readPage(pairs);
  const hasBody = route.body !== undefined && route.method !== "GET" && route.method !== "DELETE";
  if (route.upload !== undefined) {
    warnings.mark();
    // the handler reads the file while it arrives
    const body = uploadOf(request.body.pieces(endpoint.bodyLimits.octets), request.contentType, route.upload);
    return { input: { params: request.params, query, body, page }, pairs, warnings, octets: nothing.octets };
  }
  const { value, octets } = hasBody ? await held.read(request.body, endpoint.bodyLimits) : nothing;
  const body = hasBody ? endpoint.readBody(value, warnings) : value;
  warnings.mark();
  return { input: { params: request.params, query, body, page }, pairs, warnings, octets };
}

const warningHeaders = (warnings: readonly string[]): Headers =>
  warnings.length === 0 ? {} : { warning: warningHeader(warnings) };

/** The warnings of a stored reply. */
function warningsIn(body: string): readonly string[] {
  if (!body.includes('"warnings":[')) return [];
  const { warnings } = Object(JSON.parse(body)) as { readonly warnings?: unknown };
  return Array.isArray(warnings) ? warnings.filter((text) => typeof text === "string") : [];
}

const downloadHeaders = (result: unknown): Headers =>
  result instanceof Download
    ? { "content-type": result.type, "content-disposition": `attachment; filename="${result.name}"` }
    : {};

const textHeaders = <Right, Ctx>({ route }: Endpoint<Right, Ctx>): Headers =>
  route.confirmation === undefined ? {} : { "content-type": "text/plain; charset=utf-8" };

const cachingOf = <Right, Ctx>({ route }: Endpoint<Right, Ctx>): Headers =>
  route.secret ? { "cache-control": "no-store" } : {};
