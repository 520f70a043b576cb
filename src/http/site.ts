/**
 * Whether a page of ours sent a request. Browsers add cookies to whatever any page sends, so writes that a session pays
 * for, and those that make a session, have to say where they come from, and in a type that no form can send.
 */
import { denied, Problem } from "../lib/problem.ts";
import { isSecure } from "./message/cookie.ts";
import type { Request } from "./message/request.ts";

/** Throws unless `Origin`, or else `Referer`, is ours. Without either it throws when they are `needed`. */
export function assertOwnSite(request: Request, publicUrl: string, needed: boolean): void {
  const said = request.headers.origin ?? request.headers.referer;
  if (said === undefined && !needed) return;
  const origin = originOf(said);
  if (origin !== undefined && ownOrigins(request, publicUrl).includes(origin)) return;
  const message =
    "this is only for pages of this service: Origin must be that of --public-url, or that to which the request is sent";
  throw denied(message, { origin: said?.slice(0, 300) ?? null });
}

/** Throws unless a body that is sent is called JSON, as pages of other sites cannot without asking first. */
export function assertCalledJson({ contentType, headers }: Request): void {
  const isEmpty = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
  if (isEmpty || /^application\/json\s*(;|$)/i.test(contentType)) return;
  throw new Problem("unsupported_media", "Content-Type must be application/json here");
}

/** A page that came unencrypted is not believed when ours come encrypted. */
function ownOrigins({ site, headers }: Request, publicUrl: string): (string | undefined)[] {
  const known = [originOf(publicUrl)];
  if (site !== "") return [...known, originOf(site)];
  return isSecure(publicUrl) || headers.host === undefined ? known : [...known, originOf(`http://${headers.host}`)];
}

/** "null" is what pages without an origin of their own say. */
const originOf = (url: string | undefined) =>
  url !== undefined && URL.canParse(url) && /^https?:/i.test(url) ? new URL(url).origin : undefined;
