/** The canonical spelling of request targets, so that routes and rate limits see one path for all spellings. */
import { invalid, Problem } from "../../lib/problem.ts";

const longest = 16_384;

/** A path that is canonical already: no escapes, dot segments or empty segments, and visible ASCII only. */
const plain = /^(?:\/[\w\-~*@:!$&'()+,;=][\w\-~*@:!$&'()+,;=.]*)+$/;

/**
 * Returns the path and query of a request target for the router: without dot segments, empty segments and a trailing
 * slash, and with each segment percent-encoded in one way. Throws a Problem when the target is not valid.
 */
export function canonicalTarget(target: string): string {
  if (target.length > longest) {
    throw new Problem("too_large", `the URL is longer than ${longest} octets`, { limit: longest }, 414);
  }
  const origin = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  const [whole = ""] = origin.split("#", 1);
  const at = whole.indexOf("?");
  const path = at < 0 ? whole : whole.slice(0, at);
  const query = at < 0 ? "" : whole.slice(at);
  return (plain.test(path) ? path : canonicalPath(path)) + query;
}

function canonicalPath(path: string): string {
  const segments: string[] = [];
  for (const raw of path.split("/")) {
    const segment = decodeSegment(raw);
    if (segment === "" || segment === ".") continue;
    if (segment === "..") segments.pop();
    else segments.push(encodeURIComponent(segment));
  }
  return `/${segments.join("/")}`;
}

/** Decodes a segment. A slash inside a name arrives as `%2F`, or as `%252F` from a client that encodes twice. */
function decodeSegment(raw: string): string {
  let segment: string;
  try {
    segment = decodeURIComponent(escapeOctets(raw)).replace(/%2f/gi, "/");
  } catch {
    throw invalid("the path is not percent-encoded UTF-8", { segment: printable(raw) });
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the search is for control characters
  if (/[\0-\x1f\x7f]/.test(segment)) {
    throw invalid("the path contains a control character", { segment: printable(raw) });
  }
  return segment;
}

/** Escapes octets above ASCII, which arrive as one character each, so that they are decoded as UTF-8. */
const escapeOctets = (text: string) =>
  text.replace(/[\x80-\xff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).padStart(2, "0")}`);

const printable = (text: string) => text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");

/** Whether a text has the form of a host name or address, with or without a port. */
export const isHost = (text: string | undefined): text is string =>
  text !== undefined && /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i.test(text);

export interface Declared {
  readonly method: string;
  readonly path: string;
}

/** Returns a function that lists the methods of all declared paths that match a path; for requests without a route. */
export function methodFinder(known: readonly Declared[]) {
  const matchers = known.map(({ method, path }) => ({
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    pattern: new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`),
  }));
  return (path: string) => [
    ...new Set(matchers.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)),
  ];
}
