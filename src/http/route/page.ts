/** Pages of listings: the requested slice, and the Link header to the next page. */

import { isHost } from "../message/path.ts";
import type { Request } from "../message/request.ts";
import { faulty, oneValue, type Pairs } from "./query.ts";
import type { Page, ReplyOptions } from "./route.ts";

/** The page of a listing without paging. */
export const whole: Page = { limit: Number.MAX_SAFE_INTEGER, after: undefined };
const longestCursor = 2048;

/** Reads `limit` and `after`. `size` is the route's page size; undefined for routes without paging. */
export function pageOf(pairs: Pairs, size: number | undefined): Page {
  if (size === undefined) return whole;
  const limit = oneValue(pairs, "limit");
  const after = oneValue(pairs, "after");
  if (limit !== undefined && (!/^\d{1,15}$/.test(limit) || Number(limit) < 1)) {
    throw faulty("limit", `must be an integer from 1 to ${size}`);
  }
  if (after !== undefined && after.length > longestCursor) {
    throw faulty("after", `must be a string of at most ${longestCursor} characters`);
  }
  return { limit: Math.min(size, Number(limit ?? size)), after: after === "" ? undefined : after };
}

/** The beginning of links: the configured URL, or the host that the client asked. Empty when the request names none. */
function linkBase(configured: string | undefined, { site, headers }: Request): string {
  if (configured !== undefined) return configured;
  return site !== "" || !isHost(headers.host) ? site : `http://${headers.host}`;
}

/** The parts of a request for a page that the Link header repeats. */
interface Asked {
  readonly pairs: Pairs;
  readonly page: Page;
}

/** The headers of a reply that has a page of a listing. Without `asked`, the page is the first, of the usual size. */
export function pageHeaders(
  { next, listing, total }: ReplyOptions,
  configured: string | undefined,
  request: Request,
  asked?: Asked,
): Record<string, string> {
  const path = listing ?? request.path;
  return {
    ...(total === undefined ? {} : { "x-total-count": String(total) }),
    ...(next === undefined ? {} : { link: nextLink(linkBase(configured, request), path, next, asked) }),
  };
}

/** Composes the Link header. Clients split it at commas and semicolons, so the URL contains neither. */
function nextLink(base: string, path: string, next: string, asked: Asked | undefined): string {
  const kept = [...(asked?.pairs ?? [])].filter(([name]) => name !== "limit" && name !== "after");
  const limit = asked ? [["limit", [String(asked.page.limit)]] as const] : [];
  const query = [...kept, ...limit, ["after", [next]] as const].flatMap(([name, values]) =>
    values.map((value) => `${encode(name)}=${encode(value)}`),
  );
  const plainPath = path.replace(/[,;']/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `<${base}${plainPath}?${query.join("&")}>; rel="next"`;
}

const encode = (text: string) => encodeURIComponent(text).replaceAll("'", "%27");
