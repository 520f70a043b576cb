/** Static files and what else stays the same while the process runs: read at first use, with an entity tag, and compressed for clients that accept it. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { etagOf, isKnown } from "./etag.ts";
import type { Request, Response } from "./request.ts";

export type Produce = (request: Pick<Request, "headers">) => Promise<Response>;

/** Serves one file of a media type; `caching` is the value of Cache-Control. */
export function asset(type: string, caching: string, read: () => Promise<Buffer>): Produce {
  let file: ReturnType<typeof prepare> | undefined;
  return async ({ headers: asked }) => {
    file ??= read().then(prepare);
    const { plain, gzipped, etag } = await file.catch((error) => {
      file = undefined;
      throw error;
    });
    // weak, since both encodings have the same tag (RFC 9110 section 8.8.3)
    const headers = { "content-type": type, "cache-control": caching, etag: `W/${etag}`, vary: "Accept-Encoding" };
    if (isKnown(asked["if-none-match"], etag)) return { status: 304, headers, body: "" };
    const isZipped = /\bgzip\b/.test(String(asked["accept-encoding"] ?? ""));
    return isZipped
      ? { status: 200, headers: { ...headers, "content-encoding": "gzip" }, body: gzipped }
      : { status: 200, headers, body: plain };
  };
}

const prepare = async (plain: Buffer) => ({ plain, gzipped: await promisify(gzip)(plain), etag: etagOf(plain) });
