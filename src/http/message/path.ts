/** Request targets in one canonical spelling, so that routes and rate limits see the same path however it was written. */
import { invalid, Problem } from "../../lib/problem.ts";

const longest = 16_384;

/** Nothing to do: no escapes, no dot segments, no empty segments, visible ASCII. */
const plain = /^(?:\/[\w\-~*@:!$&'()+,;=][\w\-~*@:!$&'()+,;=.]*)+$/;

/**
 * Path and query of a request target for the router: dot segments, empty segments and a trailing slash are gone, and
 * each segment is percent-encoded in one way. Throws a Problem when the target cannot mean anything.
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

/** A slash inside a name arrives as `%2F`, or as `%252F` from a client that encodes twice. */
function decodeSegment(raw: string): string {
  let segment: string;
  try {
    segment = decodeURIComponent(escapeOctets(raw)).replace(/%2f/gi, "/");
  } catch {
    throw invalid("the path is not percent-encoded UTF-8", { segment: printable(raw) });
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\0-\x1f\x7f]/.test(segment)) {
    throw invalid("the path holds a control character", { segment: printable(raw) });
  }
  return segment;
}

/** Octets above ASCII come from the socket as one character each; escaped they decode as the UTF-8 that they are. */
const escapeOctets = (text: string) =>
  text.replace(/[\x80-\xff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).padStart(2, "0")}`);

const printable = (text: string) => text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");

export interface Declared {
  readonly method: string;
  readonly path: string;
}

/** Which methods the declared paths have that match a path. Asked only where no route was found. */
export function methodFinder(known: readonly Declared[]) {
  const matchers = known.map(({ method, path }) => ({
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    pattern: new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`),
  }));
  return (path: string) => [
    ...new Set(matchers.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)),
  ];
}
