/** The headers that make a write conditional: Idempotency-Key, If-Match and If-None-Match. */
import { createHash } from "node:crypto";
import { invalid, Problem } from "../lib/problem.ts";
import { assertPreconditions, etagOf } from "./message/etag.ts";
import type { Request } from "./message/request.ts";
import type { Endpoint } from "./route/endpoint.ts";
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

/** Returns a function that checks If-Match and If-None-Match, in the transaction, against the reply to GET of this URL. */
export function preconditionOf<Right, Ctx>(
  { sibling }: Endpoint<Right, Ctx>,
  request: Request,
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
  return async (ctx) => assertPreconditions(headers, await currentTag(sibling, input, ctx));
}

async function currentTag<Right, Ctx>(read: Endpoint<Right, Ctx>, input: AnyInput, ctx: Ctx) {
  try {
    return etagOf(read.print(await read.route.run(input, ctx)));
  } catch (error) {
    if (error instanceof Problem && error.code === "missing") return undefined;
    throw error;
  }
}
