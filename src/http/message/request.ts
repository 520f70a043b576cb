/** Requests and responses as the kit sees them: no sockets, no HTTP library. */

import type { IncomingHttpHeaders } from "node:http";
import type { Content } from "../../lib/files/spool.ts";
import type { Origin } from "./address.ts";
import type { RequestBody } from "./body.ts";

export interface Request {
  readonly id: string;
  readonly method: string;
  /** Canonical, without the query. */
  readonly path: string;
  readonly query: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** What the sender calls the body; bodies of JSON are read whatever they are called. */
  readonly contentType: string;
  readonly origin: Origin;
  /** `https://host` when a trusted proxy says so; empty leaves links relative to wherever the caller came in. */
  readonly site: string;
  readonly body: RequestBody;
}

export interface Response {
  readonly status: number;
  /** What stands behind the status on the first line; the status's own name when left out. */
  readonly reason?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | Content;
}

/** On every answer of the API. */
export const commonHeaders: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  "cache-control": "no-cache",
  pragma: "no-cache",
  expires: "0",
  "x-content-type-options": "nosniff",
  // links that are sent to users hold secrets, and nothing here is for a frame
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/**
 * For browsers: any page may call, since keys travel in headers that no browser adds by itself. It is never said that
 * cookies may come along, so no page of another site calls with a session, or reads what it says.
 */
export const crossOriginHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Link, Retry-After, X-Total-Count, X-Request-Id, X-Fairlead-Change, Idempotency-Replayed, X-RateLimit-By, X-RateLimit-Limit, X-RateLimit-Period, X-RateLimit-Remaining",
};

export const preflightHeaders = (allow: string): Record<string, string> => ({
  "access-control-allow-methods": allow,
  "access-control-allow-headers":
    "X-NSONE-Key, X-SERVICE-Key, X-NSONE-Js-Api, Content-Type, If-Match, If-None-Match, Idempotency-Key",
  "access-control-max-age": "86400",
  ...crossOriginHeaders,
});
