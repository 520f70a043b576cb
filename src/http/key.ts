/** The API key of a request. */
import type { IncomingHttpHeaders } from "node:http";

const keyHeaders = ["x-nsone-key", "x-service-key"] as const;

/** undefined when there is none, when it cannot be a key, or when two headers disagree. */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const keys = new Set(keyHeaders.map((name) => headers[name]).filter((key) => key !== undefined));
  const [key] = keys;
  return keys.size === 1 && typeof key === "string" && /^[\x21-\x7e]{1,256}$/.test(key) ? key : undefined;
}
