/** The HTTP server, and the only file that uses the HTTP library: sockets, routing, and the conversion of requests. */
import { once } from "node:events";
import { type AddressInfo, Server as NetServer, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fastify } from "fastify";
import type { Registry } from "prom-client";
import type { Clock } from "../lib/clock.ts";
import { Buckets } from "../lib/fair/bucket.ts";
import { invalid, Problem } from "../lib/problem.ts";
import { Bodies } from "./body/bodies.ts";
import type { Produce } from "./message/asset.ts";
import { Connections } from "./message/connections.ts";
import { isSecure } from "./message/cookie.ts";
import { refuseMalformed } from "./message/malformed.ts";
import { bodyOctets, connectionCounts } from "./message/metrics.ts";
import { NodeAdapter } from "./message/node-adapter.ts";
import { type Declared, methodFinder } from "./message/path.ts";
import { commonHeaders, type Request, type Response } from "./message/request.ts";
import { UnreadAnswers } from "./message/unread.ts";
import type { ApiInfo } from "./openapi/openapi.ts";
import { openPages, referencePaths } from "./openapi/reference.ts";
import type { Portal } from "./pages/portal.ts";
import { rateHeaders } from "./rate.ts";
import { endpointsOf } from "./route/endpoint.ts";
import type { Method, Route } from "./route/route.ts";
import type { Service } from "./route/service.ts";
import { Runner, type RunnerOptions } from "./run.ts";

export interface ServerOptions<Caller, Right extends string, Ctx> extends RunnerOptions {
  readonly routes: readonly Route<Right, Ctx>[];
  readonly service: Service<Caller, Right, Ctx>;
  readonly clock: Clock;
  /** CIDRs of the proxies whose X-Forwarded headers are trusted. */
  readonly trustedProxies: readonly string[];
  readonly info: ApiInfo;
  /** Health and metrics: public, and outside the rate limits. */
  readonly extra?: readonly Extra[];
  /** Pages for browsers, by path: public, and the same for every caller. */
  readonly pages?: readonly (readonly [path: string, produce: Produce])[];
  /** What browsers get at paths that are not the API's. */
  readonly portal?: Portal | undefined;
  /** The registry for the metric of request durations. */
  readonly registry?: Registry;
  readonly limits?: Partial<Limits>;
  /** Checks replies against their schemas; for tests. */
  readonly strictReplies?: boolean;
  /** The most octets of an uploaded file, with the form around it. */
  readonly uploadLimit: number;
}

export interface Extra {
  readonly path: string;
  readonly run: () => Promise<ExtraReply> | ExtraReply;
}

export interface ExtraReply {
  readonly status?: number;
  /** Default: `text/plain; charset=utf-8`. */
  readonly type?: string;
  readonly body: string;
}

/** All in milliseconds, except the numbers of connections. */
export interface Limits {
  readonly headers: number;
  readonly request: number;
  /** A whole uploaded file. */
  readonly upload: number;
  readonly keepAlive: number;
  /** The time in which a client must read some of its answer. Progress is seen about once per megabyte. */
  readonly unread: number;
  readonly connections: number;
  /** The connections of one IPv4 address or IPv6 /64 once half of all are open. */
  readonly share: number;
  /** The time that running requests have once the server is closing. */
  readonly closing: number;
  /** The time that open connections have for another request once another process has taken over. */
  readonly retiring: number;
}

export const defaultLimits: Limits = {
  headers: 10_000,
  request: 30_000,
  upload: 3_600_000,
  keepAlive: 65_000,
  unread: 300_000,
  connections: 5000,
  share: 250,
  closing: 10_000,
  retiring: 3000,
};

export interface HttpServer {
  /** Listens on an address, or on an inherited socket. */
  listen(endpoint: { host: string; port: number } | { fd: number }): Promise<AddressInfo>;
  /**
   * Takes no new connections, since another process listens on the same socket. For some seconds, open connections have
   * another request answered, and end with it: a client that just sends one meets no closed connection.
   */
  retire(): Promise<void>;
  /** Takes no new connections, finishes running requests and closes idle connections. */
  close(): Promise<void>;
}

export function createServer<Caller, Right extends string, Ctx>(
  options: ServerOptions<Caller, Right, Ctx>,
): HttpServer {
  const { log, service } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const bodies = new Bodies();
  const connections = new Connections({ all: limits.connections, share: limits.share });
  if (options.registry) {
    bodyOctets(options.registry, () => bodies.room.held());
    connectionCounts(options.registry, connections);
  }
  const answers = new UnreadAnswers();
  const runner = new Runner(service, { buckets: new Buckets(options.clock), bodies, answers }, options);
  const adapter = new NodeAdapter({
    trustedProxies: options.trustedProxies,
    isSecure: isSecure(options.publicUrl),
    log,
    registry: options.registry,
    patience: { whole: limits.request, next: limits.request },
    unread: limits.unread,
    connections,
    answers,
    refuse: (request, problem) => runner.refuse(request, problem),
  });
  const app = newApp(limits, adapter, (error, socket, headers = {}) => {
    const origin = adapter.originOf(socket, undefined);
    log.debug({ code: error.code, address: origin.address }, "a connection sent no valid request");
    refuseMalformed(error, socket, { ...rateHeaders(runner.takeFrom(origin), "ip"), ...headers });
  });

  connect(app, options, runner, adapter);
  return {
    async listen(endpoint) {
      if ("fd" in endpoint) {
        // the library knows only addresses
        await app.ready();
        await once(app.server.listen(endpoint), "listening");
      } else await app.listen(endpoint);
      const address = app.server.address();
      if (address === null || typeof address === "string") throw new Problem("internal", "no port was bound");
      return address;
    },
    async retire() {
      adapter.closing = true;
      const ended = new Promise<void>((resolve) => void NetServer.prototype.close.call(app.server, () => resolve()));
      await Promise.race([ended, delay(limits.retiring, undefined, { ref: false })]);
    },
    async close() {
      adapter.closing = true;
      const impatience = setTimeout(() => app.server.closeAllConnections(), limits.closing);
      await app.close();
      clearTimeout(impatience);
      await bodies.close();
    },
  };
}

/** Gives each path its handler, and answers requests for all other paths. */
function connect<Caller, Right extends string, Ctx>(
  app: ReturnType<typeof newApp>,
  {
    routes,
    strictReplies = false,
    uploadLimit,
    info,
    extra = [],
    pages = [],
    portal,
  }: ServerOptions<Caller, Right, Ctx>,
  runner: Runner<Caller, Right, Ctx>,
  adapter: NodeAdapter,
): void {
  const known: Declared[] = [];
  const add = (method: Method, path: string, produce: (request: Request) => Promise<Response>) => {
    known.push({ method, path });
    app.route({ method, url: path, handler: adapter.handler(path, produce) });
  };
  for (const endpoint of endpointsOf(routes, { strict: strictReplies, uploadLimit })) {
    add(endpoint.route.method, endpoint.route.path, (request) => runner.run(endpoint, request));
  }
  for (const [path, produce] of [...openPages(routes, info, loadScript), ...pages]) {
    add("GET", path, (request) => runner.serveOpen(request, () => produce(request)));
  }
  for (const { path, run } of extra) add("GET", path, async () => extraResponse(await run()));
  const methodsOf = methodFinder(known);
  app.setNotFoundHandler(
    adapter.handler("unrouted", (request) => runner.serveUnrouted(request, methodsOf(request.path), portal)),
  );
  app.setErrorHandler((error, request, reply) =>
    adapter.handler("unrouted", (found) => runner.refuse(found, problemOf(error)))(request, reply),
  );
}

/** Makes the library's server, without what the kit does itself: bodies, validation, serialisation, logs. */
function newApp(limits: Limits, adapter: NodeAdapter, refuse: Refuse) {
  const app = fastify({
    logger: false,
    requestTimeout: Math.max(limits.request, limits.upload),
    keepAliveTimeout: limits.keepAlive,
    return503OnClosing: false,
    http: {
      // the kit refuses a request without Host, in JSON
      requireHostHeader: false,
      // more than the longest URL and the longest key together, so that the kit refuses both in JSON
      maxHeaderSize: 32_768,
      headersTimeout: Math.min(limits.headers, limits.request),
      // seldom, since each check wakes an idle process: a slow client may be cut off by half the limit too late
      connectionsCheckingInterval: Math.max(100, limits.headers / 2),
    },
    // the kit limits the length of URLs; the library's own limit would refuse long names
    routerOptions: { maxParamLength: 65_536, querystringParser: () => ({}) },
    rewriteUrl: (message) => adapter.canonicalise(message),
    clientErrorHandler: (error, socket) => refuse(error, socket),
  });
  app.server.on("connection", (socket) => {
    if (!adapter.accept(socket)) refuse(Object.assign(new Error("CONNECTIONS"), { code: "CONNECTIONS" }), socket);
  });
  // before the library's own listener, which calls a handler
  app.server.prependListener("request", (message, response) => adapter.count(message, response));
  app.server.on("checkContinue", (message, response) => app.server.emit("request", message, response));
  app.server.on("checkExpectation", (message, response) => app.server.emit("request", message, response));
  // without a listener the connection would be closed without an answer; with one, the connection's errors are handled here
  app.server.on("connect", (_message, socket) => {
    socket.on("error", () => socket.destroy());
    if (!(socket instanceof Socket)) return socket.destroy();
    return refuse(Object.assign(new Error("CONNECT"), { code: "CONNECT" }), socket, { allow: "" });
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  return app;
}

/** Converts an error that the library found in a request before it called a handler. */
const problemOf = (error: unknown) =>
  error instanceof Error && "statusCode" in error && error.statusCode !== 500
    ? invalid(error.message)
    : new Problem("internal", `the HTTP library failed: ${error}`);

type Refuse = (error: ClientError, socket: Socket, headers?: Readonly<Record<string, string>>) => void;

type ClientError = Error & { readonly code: string };

/** Loads the script at first use, since it is large. The package offers it only as a plug-in of the HTTP library. */
async function loadScript(): Promise<Buffer> {
  const { default: plugin } = await import("@scalar/fastify-api-reference");
  const app = fastify({ logger: false });
  await app.register(plugin, { routePrefix: "/", configuration: { url: referencePaths.openapi } });
  const { rawPayload } = await app.inject("/js/scalar.js");
  await app.close();
  return rawPayload;
}

const extraResponse = ({ status = 200, type = "text/plain; charset=utf-8", body }: ExtraReply): Response => ({
  status,
  headers: { ...commonHeaders, "content-type": type },
  body,
});
