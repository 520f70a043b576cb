/** Entity tags: made from the octets of a reply, and compared as in RFC 9110 section 13. */
import { createHash, hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "../../lib/problem.ts";
import { isPieces, type Pieces } from "./pieces.ts";

/** The field that use changes, and not a write. Quotation marks inside of a string are escaped, so no text looks like it. */
const changedByUse = /"last_access":(?:\d+|null)/g;

/**
 * A strong tag: equal octets have equal tags. If the reply says when a thing was last used, a second part is the tag of
 * everything else, and If-Match compares that part alone: a key in use can be changed, too.
 */
export function etagOf(body: string | Pieces | Buffer): string {
  if (Buffer.isBuffer(body)) return `"${digestOf([body])}"`;
  const pieces = isPieces(body) ? body : [body];
  const whole = digestOf(pieces);
  // a piece ends with an item of a list
  const rest = pieces.map((piece) => piece.replace(changedByUse, ""));
  return rest.every((piece, at) => piece === pieces[at]) ? `"${whole}"` : `"${whole}.${digestOf(rest)}"`;
}

function digestOf(pieces: readonly (string | Buffer)[]): string {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return hash("sha1", first, "hex");
  const whole = createHash("sha1");
  for (const piece of pieces) whole.update(piece);
  return whole.digest("hex");
}

/** Whether the caller already has this reply (weak comparison: proxies mark tags as weak). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || tagsOf(ifNoneMatch).some((tag) => tag.replace(/^W\//, "") === etag);
}

/** A resource as it is now. */
export interface Present {
  readonly etag: string;
  /** The state for a refusal; undefined if the refusal must not or cannot show it. */
  state(): unknown;
}

/** Throws `precondition_failed` when a precondition is not met; `present` is undefined if the resource does not exist. */
export function assertPreconditions(headers: IncomingHttpHeaders, present: Present | undefined): void {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers;
  if (ifMatch !== undefined && !present) {
    throw new Problem("precondition_failed", "If-Match: the resource does not exist");
  }
  if (ifMatch !== undefined && present && !isMatch(ifMatch, present.etag)) {
    const current = present.state();
    const details = { etag: present.etag, ...(current === undefined ? {} : { current }) };
    throw new Problem("precondition_failed", "If-Match: the resource has changed since it was read", details);
  }
  if (present && isKnown(ifNoneMatch, present.etag)) {
    throw new Problem("precondition_failed", "If-None-Match: the resource already exists", { etag: present.etag });
  }
}

const isMatch = (ifMatch: string, etag: string) =>
  ifMatch.trim() === "*" || tagsOf(ifMatch).map(written).includes(written(etag));

/** The part of a tag that only writes change. */
const written = (etag: string) => etag.replace(/"[^".]*\./, '"');

const tagsOf = (header: string): readonly string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
