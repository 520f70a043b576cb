/**
 * Protection against cross-site requests. Browsers add cookies to the requests of every page, so writes with a session,
 * and writes that create one, must carry an Origin of this service and a Content-Type that no HTML form can send.
 */
import { isLoopback } from "../lib/address/egress.ts";
import { denied, Problem } from "../lib/problem.ts";
import { isSecure } from "./message/cookie.ts";
import { isHost } from "./message/path.ts";
import type { Request } from "./message/request.ts";

/** Throws unless `Origin`, or else `Referer`, is that of this service. If not `needed`, both may be absent. */
export function assertOwnSite(request: Request, publicUrl: string, needed: boolean): void {
  const said = request.headers.origin ?? request.headers.referer;
  if (said === undefined && !needed) return;
  const origin = originOf(said);
  if (origin !== undefined && ownOrigins(request, publicUrl).includes(origin)) return;
  const message =
    "only pages of this service may send this request: Origin must be that of --public-url or of the requested host";
  throw denied(message, { origin: said?.slice(0, 300) ?? null });
}

/** Headers of proxies. */
const passedOn = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/;

/**
 * Throws unless the request comes from this machine itself. A Host that is not loopback may be a name of another site
 * that leads here, and a proxy on this machine passes on requests from elsewhere.
 */
export function assertFromHere({ headers, origin }: Request): void {
  const header = Object.keys(headers).find((name) => passedOn.test(name));
  // without such a header, the origin is the peer
  if (header === undefined && isLoopback(origin.address) && isLocalHost(headers.host)) return;
  const reason = header === undefined ? "" : `, and this one has the header ${header}`;
  throw denied(
    `this request must come from the machine of the service itself, to a loopback address and through no proxy${reason}`,
  );
}

function isLocalHost(host: string | undefined): boolean {
  if (!isHost(host) || !URL.canParse(`http://${host}`)) return false;
  const name = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || isLoopback(name);
}

/** Throws unless the body's Content-Type is JSON, which pages of other sites cannot send without a preflight. */
export function assertJsonType({ contentType, headers }: Request): void {
  const isEmpty = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
  if (isEmpty || /^application\/json\s*(;|$)/i.test(contentType)) return;
  throw new Problem("unsupported_media", "Content-Type must be application/json here");
}

/** Returns the origins of this service. If the public URL is https, http at the requested host is not one of them. */
function ownOrigins({ site, headers }: Request, publicUrl: string): (string | undefined)[] {
  const known = [originOf(publicUrl)];
  if (site !== "") return [...known, originOf(site)];
  return isSecure(publicUrl) || headers.host === undefined ? known : [...known, originOf(`http://${headers.host}`)];
}

/** Returns undefined for "null", which pages without an origin send. */
const originOf = (url: string | undefined) =>
  url !== undefined && URL.canParse(url) && /^https?:/i.test(url) ? new URL(url).origin : undefined;
