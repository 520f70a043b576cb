/** Requests and responses as routes see them, without sockets or the HTTP library. */

import type { IncomingHttpHeaders } from "node:http";
import type { Content } from "../../lib/files/spool.ts";
import type { RequestBody } from "../body/body.ts";
import type { Origin } from "./address.ts";
import type { Pieces } from "./pieces.ts";

export interface Request {
  readonly id: string;
  readonly method: string;
  /** Canonical, without the query. */
  readonly path: string;
  readonly query: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** The Content-Type as it was sent. Only writes with a session need the one of JSON. */
  readonly contentType: string;
  readonly origin: Origin;
  /** The scheme and host, such as `https://host`, if a trusted proxy reports them; otherwise empty. */
  readonly site: string;
  readonly body: RequestBody;
}

export interface Response {
  readonly status: number;
  /** The reason phrase on the status line; default: the status's own. */
  readonly reason?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Pieces | Buffer | Content;
  /** The account to which the memory for the answer is counted; the address without one. */
  readonly account?: string;
}

/** The headers of every answer of the API. */
export const commonHeaders: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  "cache-control": "no-cache",
  pragma: "no-cache",
  expires: "0",
  "x-content-type-options": "nosniff",
  // links sent to users contain secrets, and no page may be framed
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/**
 * CORS: any page may call the API, since browsers do not add key headers by themselves. Credentials are not allowed, so
 * a page of another site cannot read the answers to calls with a session; the cookie's SameSite attribute and the guard
 * in `http/run` keep it from writing with one.
 */
export const crossOriginHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Link, Retry-After, Warning, X-Total-Count, X-Request-Id, X-Fairlead-Change, Idempotency-Replayed, X-RateLimit-By, X-RateLimit-Limit, X-RateLimit-Period, X-RateLimit-Remaining",
};

export const preflightHeaders = (allow: string): Record<string, string> => ({
  "access-control-allow-methods": allow,
  "access-control-allow-headers":
    "X-NSONE-Key, X-SERVICE-Key, X-NSONE-Js-Api, Content-Type, If-Match, If-None-Match, Idempotency-Key",
  "access-control-max-age": "86400",
  ...crossOriginHeaders,
});
