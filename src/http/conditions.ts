/** The headers that make a write conditional: Idempotency-Key, If-Match and If-None-Match. */
import { createHash } from "node:crypto";
import { invalid, Problem } from "../lib/problem.ts";
import { assertPreconditions, etagOf, type Present } from "./message/etag.ts";
import type { Request } from "./message/request.ts";
import { type Endpoint, partsOf } from "./route/endpoint.ts";
import { pairsOf } from "./route/query.ts";
import type { AnyInput } from "./route/route.ts";
import type { Idempotency } from "./route/service.ts";

/** Returns the Idempotency-Key of a request and a digest of the request; undefined without a key, and for DELETE. */
export function idempotencyOf<Right, Ctx>(
  { route }: Endpoint<Right, Ctx>,
  { headers, method, path, query }: Request,
  octets: Uint8Array,
): Idempotency | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined || route.method === "DELETE") return undefined;
  if (typeof key !== "string" || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalid("Idempotency-Key must be 1 to 255 printable ASCII characters");
  }
  const request = createHash("sha256").update(`${method} ${path}?${query}\n`).update(octets).digest("hex");
  return { key, request };
}

/** The most characters of a present state in a refusal. */
export const mostState = 64 * 1024;

/**
 * Returns a function that checks If-Match and If-None-Match, in the transaction, against the reply to GET of this URL. A
 * refusal shows the present state to a caller that may read it.
 */
export function preconditionOf<Right, Ctx>(
  { sibling }: Endpoint<Right, Ctx>,
  request: Request,
  mayRead: (read: Endpoint<Right, Ctx>) => boolean,
): ((ctx: Ctx) => Promise<void>) | undefined {
  const { headers } = request;
  if (headers["if-match"] === undefined && headers["if-none-match"] === undefined) return undefined;
  if (!sibling) throw invalid("If-Match and If-None-Match need a path that can be read with GET");
  const pairs = pairsOf(request.query);
  const input = {
    params: request.params,
    query: sibling.readQuery(pairs),
    body: undefined,
    page: sibling.readPage(pairs),
  };
  return async (ctx) => assertPreconditions(headers, await presentOf(sibling, input, ctx, () => mayRead(sibling)));
}

async function presentOf<Right, Ctx>(
  read: Endpoint<Right, Ctx>,
  input: AnyInput,
  ctx: Ctx,
  mayRead: () => boolean,
): Promise<Present | undefined> {
  try {
    const result = await read.route.run(input, ctx);
    const text = read.print(result);
    return { etag: etagOf(text), state: () => (mayRead() ? shownState(read, result, text) : undefined) };
  } catch (error) {
    if (error instanceof Problem && error.code === "missing") return undefined;
    throw error;
  }
}

/** The state as GET shows it; without its longest list, or undefined, if that is too much for a refusal. */
function shownState<Right, Ctx>(read: Endpoint<Right, Ctx>, result: unknown, text: string): unknown {
  if (text.length <= mostState) return JSON.parse(text);
  const { abridged } = read.route;
  const rest = abridged && read.print(abridged(partsOf(result).body));
  return rest !== undefined && rest.length <= mostState ? JSON.parse(rest) : undefined;
}
