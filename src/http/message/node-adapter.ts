/** Converts Node's messages to the kit's requests, and sends the kit's responses. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Registry } from "prom-client";
import type { Content } from "../../lib/files/spool.ts";
import type { Log } from "../../lib/log.ts";
import { invalid, limited, Problem } from "../../lib/problem.ts";
import { type BodyPatience, Continuation, drain, RequestBody } from "../body/body.ts";
import { type Origin, Origins, Sharers } from "./address.ts";
import type { Connections } from "./connections.ts";
import { requestTimings } from "./metrics.ts";
import { canonicalTarget, isHost } from "./path.ts";
import { encoded, isPieces } from "./pieces.ts";
import type { Request, Response } from "./request.ts";
import type { UnreadAnswers } from "./unread.ts";

export interface AdapterOptions {
  readonly trustedProxies: readonly string[];
  /** The public URL is https, even if a proxy terminates TLS. */
  readonly isSecure: boolean;
  readonly log: Log;
  readonly registry: Registry | undefined;
  readonly patience: BodyPatience;
  /** Milliseconds after which the connection of a client that reads nothing of its answer is closed. */
  readonly unread: number;
  readonly connections: Connections;
  readonly answers: UnreadAnswers;
  /** Answers a request whose URL cannot be routed. */
  readonly refuse: (request: Request, problem: Problem) => Promise<Response>;
}

/** The members of the HTTP library's request and reply that are used. */
interface LibraryRequest {
  /** The library keeps the target that was sent beside the canonical one. */
  readonly raw: IncomingMessage & { readonly originalUrl?: string };
  readonly params: unknown;
}

interface LibraryReply {
  readonly raw: ServerResponse;
  hijack(): unknown;
}

export class NodeAdapter {
  /** When true, each answer ends its connection. */
  closing = false;
  readonly #options: AdapterOptions;
  readonly #origins: Origins;
  readonly #sharers: Sharers;
  readonly #observe: ReturnType<typeof requestTimings> | undefined;
  /** A cache, since most connections carry many requests and no X-Forwarded-For. */
  readonly #peers = new WeakMap<Socket, Origin>();
  /** Acts at the end of requests, by connection. */
  readonly #ends = new WeakMap<Socket, Set<() => void>>();
  /** Problems that were found before routing. */
  readonly #problems = new WeakMap<IncomingMessage, Problem>();

  constructor(options: AdapterOptions) {
    this.#options = options;
    this.#origins = new Origins(options.trustedProxies);
    this.#sharers = new Sharers(options.trustedProxies);
    this.#observe = options.registry && requestTimings(options.registry);
  }

  /** Gives a connection its place; false if there is none. */
  accept(socket: Socket): boolean {
    const ends = new Set<() => void>();
    this.#ends.set(socket, ends);
    socket.once("close", () => {
      for (const end of ends) end();
    });
    return this.#options.connections.add(socket, this.#sharers.ofConnection(socket.remoteAddress));
  }

  /** Counts a request until it is answered. A problem of its sender is stored, and becomes the answer. */
  count(message: IncomingMessage, response: ServerResponse): void {
    const { connections } = this.#options;
    const { socket, headers } = message;
    connections.begin(socket);
    this.#atEnd(socket, response, () => connections.end(socket));
    const sender = this.#sharers.ofRequest(socket.remoteAddress, textOf(headers["x-forwarded-for"]));
    if (sender === undefined) return;
    if (connections.beginFor(sender)) this.#atEnd(socket, response, () => connections.endFor(sender));
    else this.#problems.set(message, limited("too many requests from this address are under way"));
  }

  /** Calls `act` when the response is sent, or its connection ends: a response that waits for others has no event then. */
  #atEnd(socket: Socket, response: ServerResponse, act: () => void): void {
    const ends = this.#ends.get(socket);
    const end = () => {
      if (ends?.delete(end)) act();
    };
    ends?.add(end);
    response.once("close", end);
  }

  /** Returns the URL to route. For an invalid URL the problem is stored, and becomes the answer. */
  canonicalise(message: IncomingMessage): string {
    // Bodies are read as JSON whatever their type; the library would refuse types that it cannot parse.
    message.headers["content-type"] = "application/json";
    try {
      // RFC 9112 section 3.2
      if (message.httpVersion === "1.1" && message.headers.host === undefined) {
        throw invalid("the request has no Host header");
      }
      if (countHosts(message) > 1) throw invalid("the request has several Host headers");
      return canonicalTarget(message.url ?? "/");
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#problems.set(message, error);
      return "/";
    }
  }

  /** Makes a handler for the HTTP library; the handler writes the response itself. */
  handler(route: string, produce: (request: Request) => Promise<Response>) {
    return (request: LibraryRequest, reply: LibraryReply): Promise<void> => {
      reply.hijack();
      return this.#run(request.raw, reply.raw, route, asStrings(request.params), produce);
    };
  }

  async #run(
    message: LibraryRequest["raw"],
    response: ServerResponse,
    route: string,
    params: Readonly<Record<string, string>>,
    produce: (request: Request) => Promise<Response>,
  ): Promise<void> {
    const started = performance.now();
    const continuation = new Continuation(message, response);
    const request = this.#requestOf(message, params, continuation);
    const problem = this.#problems.get(message);
    const answer = await (problem ? this.#options.refuse(request, problem) : produce(request));
    const ends = continuation.isOwed || answer.headers["connection"] === "close";
    if (!message.complete && !ends) await drain(message);
    if (!this.#hold(message.socket, response, answer, request.origin)) return;
    // the limit applies until the kernel has the whole answer, and starts again whenever the client reads some of it
    response.setTimeout(this.#options.unread);
    const isSecure = this.#options.isSecure || request.site.startsWith("https:");
    const headers = isSecure ? { ...answer.headers, ...strictTransport } : answer.headers;
    await send(response, { ...answer, headers }, this.closing || ends || !message.complete);
    // the server may have begun to close after the headers of a file had promised to keep the connection open
    if (this.closing) message.socket.end();
    const seconds = (performance.now() - started) / 1000;
    const { id, method } = request;
    this.#observe?.({ method, route, status: answer.status, seconds });
    this.#options.log.debug({ request_id: id, method, route, status: answer.status, seconds }, "request");
  }

  /** Counts an answer until it is read; false if it was cut off, or its client has left. */
  #hold(socket: Socket, response: ServerResponse, { account, body }: Response, origin: Origin): boolean {
    if (socket.destroyed) return true;
    const octets = isContent(body)
      ? 0
      : isPieces(body)
        ? body.reduce((sum, piece) => sum + piece.length, 0)
        : body.length;
    if (octets < leastCounted) return true;
    const owner = account ?? origin.network;
    const slot = this.#options.answers.hold(owner, octets, () => socket.destroy());
    if (slot) this.#atEnd(socket, response, () => slot.leave());
    else socket.destroy();
    return slot !== undefined;
  }

  originOf(socket: Socket, forwardedFor: string | undefined): Origin {
    if (forwardedFor !== undefined) return this.#origins.find(socket.remoteAddress, forwardedFor);
    const known = this.#peers.get(socket) ?? this.#origins.find(socket.remoteAddress, undefined);
    this.#peers.set(socket, known);
    return known;
  }

  #requestOf(
    message: LibraryRequest["raw"],
    params: Readonly<Record<string, string>>,
    continuation: Continuation,
  ): Request {
    const { headers, method = "GET", url = "/", originalUrl = url } = message;
    const at = url.indexOf("?");
    const origin = this.originOf(message.socket, textOf(headers["x-forwarded-for"]));
    return {
      id: randomUUID(),
      method,
      path: at < 0 ? url : url.slice(0, at),
      query: at < 0 ? "" : url.slice(at + 1),
      target: originalUrl,
      params,
      headers,
      contentType: sentContentType(message),
      origin,
      site: origin.proxied ? siteOf(message) : "",
      body: new RequestBody(message, continuation, this.#options.patience),
    };
  }
}

/** The library keeps the first of several Host headers. */
const countHosts = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === "host").length;

/** The octets of the smallest answers that are counted: smaller ones fit into the buffers of a connection. */
const leastCounted = 16 * 1024;

/** RFC 6797: browsers must use https from now on. */
const strictTransport = { "strict-transport-security": "max-age=31536000" };

/** The router's parameters are strings, but its type does not say so. */
const asStrings = (params: unknown) => (params ?? {}) as Readonly<Record<string, string>>;

async function send(response: ServerResponse, answer: Response, close: boolean): Promise<void> {
  const { status, reason, headers, body } = answer;
  const fields: Record<string, string> = { ...headers };
  const texts = typeof body === "string" ? [encoded(body)] : isPieces(body) ? body.map(encoded) : [];
  if (status !== 204 && status !== 304) {
    const octets = isContent(body)
      ? body.octets
      : Buffer.isBuffer(body)
        ? body.length
        : texts.reduce((sum, text) => sum + text.octets, 0);
    fields["content-length"] = String(octets);
  }
  if (close) fields["connection"] = "close";
  if (reason !== undefined) response.statusMessage = reason;
  response.writeHead(status, fields);
  if (isContent(body)) {
    response.flushHeaders();
    pauseInput(response);
    return await sendContent(response, body);
  }
  for (const { text, encoding } of texts.slice(0, -1)) response.write(text, encoding);
  const last = texts.at(-1);
  if (last) response.end(last.text, last.encoding);
  else response.end(body);
  if (response.req.socket.writableLength > 0) pauseInput(response);
}

const isContent = (body: Response["body"]): body is Content =>
  typeof body !== "string" && !isPieces(body) && !Buffer.isBuffer(body);

/** Stops reading until the answer is sent, since input would restart the timeout of a client that does not read. */
function pauseInput(response: ServerResponse): void {
  const { socket } = response.req;
  socket.pause();
  response.once("close", () => socket.resume());
}

async function sendContent(response: ServerResponse, content: Content): Promise<void> {
  try {
    if (response.req.method === "HEAD") response.end();
    else await pipeline(content.read(), response);
  } catch {
    // the client has left, or detects by the length that the answer is incomplete
  } finally {
    await content.close();
  }
}

/** Returns the Content-Type as it was sent; `canonicalise` replaces the header. */
function sentContentType({ rawHeaders }: IncomingMessage): string {
  const at = rawHeaders.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === "content-type");
  return at < 0 ? "" : (rawHeaders[at + 1] ?? "");
}

/** Returns the scheme and host that a trusted proxy reports. */
function siteOf({ headers }: IncomingMessage): string {
  const scheme = lastOf(textOf(headers["x-forwarded-proto"]))?.toLowerCase();
  const host = lastOf(textOf(headers["x-forwarded-host"])) ?? headers.host;
  return (scheme === "https" || scheme === "http") && isHost(host) ? `${scheme}://${host}` : "";
}

const lastOf = (list: string | undefined) => list?.split(",").at(-1)?.trim();

const textOf = (header: string | readonly string[] | undefined) =>
  typeof header === "string" ? header : header?.join(",");
