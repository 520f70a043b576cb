/** DNS over HTTPS (RFC 8484): reads requests and makes replies, for both versions of HTTP. */
import { headerOctets } from "../../dns/wire/message.ts";
import { askService, type Client, plainOctets, type QueryService } from "../socket/service.ts";

const dohPath = "/dns-query";
const mediaType = "application/dns-message";
export const largestQuery = 65_535;
/** The most octets of a request's target: enough for a query of 12 KB. */
const longestTarget = 16_384;
/** The most octets of all header fields, including the target. */
export const longestHeader = 24_576;

interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly type: string | undefined;
  /** The announced octets of the body, if any. */
  readonly length: string | undefined;
}

/** `body`: the query is the body of the request, which is not read yet. */
export type Reading =
  | { readonly kind: "query"; readonly octets: Uint8Array }
  | { readonly kind: "body" }
  | { readonly kind: "refused"; readonly status: number };

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
}

export function readRequest({ method, target, type, length }: Request): Reading {
  if (target.length > longestTarget) return refused(414);
  const [path, ...search] = target.split("?");
  if (path !== dohPath) return refused(404);
  if (method === "GET" || method === "HEAD") return readTarget(search.join("?"));
  if (method !== "POST") return refused(405);
  if ((type ?? "").replace(/;.*/, "").trim().toLowerCase() !== mediaType) return refused(415);
  return Number(length ?? 0) > largestQuery ? refused(413) : { kind: "body" };
}

/** RFC 8484 section 4.1: `dns`, once, in base64url without padding. */
function readTarget(search: string): Reading {
  const values = new URLSearchParams(search).getAll("dns");
  const [value = ""] = values;
  if (values.length !== 1 || !/^[A-Za-z0-9_-]+$/.test(value) || value.length % 4 === 1) return refused(400);
  return { kind: "query", octets: Buffer.from(value, "base64url") };
}

const refused = (status: number): Reading => ({ kind: "refused", status });

const answer = new Uint8Array(65_535);

/** Whether the service answers the query last. */
export function isLastDoh(service: QueryService, query: Uint8Array, client: Client): boolean {
  if (!service.isCrowded) return false;
  service.begin();
  const isLast = service.isLast?.(plainOctets(query), 0, query.length, client) === true;
  service.end();
  return isLast;
}

/** Answers a query. DNS answers, including errors, have HTTP status 200 (RFC 8484 section 4.2.1). */
export function answerDoh(service: QueryService, query: Uint8Array, client: Client): Reply {
  // messages with the QR bit of a response are never answered
  if (query.length < headerOctets || (query[2]! & 0x80) !== 0) return problem(400);
  service.begin();
  const written = askService(service, plainOctets(query), 0, query.length, client, answer, 0, answer.length);
  service.end();
  if (written === 0) return problem(503);
  const body = answer.slice(0, written);
  const headers = {
    "content-type": mediaType,
    "content-length": written,
    "cache-control": `max-age=${smallestTtl(body)}`,
  };
  return { status: 200, headers, body };
}

const reasons: Readonly<Record<number, string>> = {
  400: `not a DNS query: GET ${dohPath}?dns= with base64url without padding, or POST ${mediaType}`,
  404: `DNS queries are answered at ${dohPath}`,
  405: "the method must be GET, HEAD or POST",
  413: "a DNS message has at most 65535 octets",
  414: "the URL is too long; send the query with POST",
  415: `the body of a POST must be ${mediaType}`,
  503: "the query was not answered",
};

export function problem(status: number): Reply {
  const body = Buffer.from(`${reasons[status]}\n`);
  const headers = { "content-type": "text/plain; charset=utf-8", "content-length": body.length };
  return { status, headers: status === 405 ? { ...headers, allow: "GET, HEAD, POST" } : headers, body };
}

/** Seconds for which our message may be cached: RFC 8484 section 5.1, for negative answers the SOA's TTL (RFC 2308). */
export function smallestTtl(message: Uint8Array): number {
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  const rcode = message[3]! & 15;
  if (rcode !== 0 && rcode !== 3) return 0;
  let at = headerOctets;
  for (let left = view.getUint16(4); left > 0; left--) at = afterName(message, at) + 4;
  // the answer section; when it is empty, the authority section
  const count = view.getUint16(6) || view.getUint16(8);
  let smallest = Number.POSITIVE_INFINITY;
  for (let left = count; left > 0; left--) {
    at = afterName(message, at);
    smallest = Math.min(smallest, view.getUint32(at + 4));
    at += 10 + view.getUint16(at + 8);
  }
  return Number.isFinite(smallest) ? smallest : 0;
}

function afterName(message: Uint8Array, from: number): number {
  let at = from;
  for (let size = message[at]!; size !== 0; size = message[at]!) {
    if (size >= 0xc0) return at + 2;
    at += size + 1;
  }
  return at + 1;
}
