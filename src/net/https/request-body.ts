/** Reads a request body that is a DNS message. */
import type { Readable } from "node:stream";
import { largestQuery, type Reading } from "./doh.ts";

type Body = Exclude<Reading, { kind: "body" }>;

/** Resolves with undefined when the client disconnects before the end. `onOctets` gets the size of each held piece. */
export function readBody(source: Readable, onOctets: (octets: number) => void = () => {}): Promise<Body | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  return new Promise((resolve) => {
    source.on("data", (octets: Uint8Array) => {
      if (length > largestQuery) return;
      length += octets.length;
      onOctets(octets.length);
      parts.push(octets);
      if (length > largestQuery) resolve({ kind: "refused", status: 413 });
    });
    source.on("end", () => resolve({ kind: "query", octets: Buffer.concat(parts) }));
    source.on("close", () => resolve(undefined));
  });
}
