/** What a request carries to say whose it is: an API key in a header, or a session in a cookie. */
import type { IncomingHttpHeaders } from "node:http";
import { cookieOf } from "./cookie.ts";

export interface Credentials {
  /** undefined when there is none, when it cannot be a key, or when two headers disagree. */
  readonly key: string | undefined;
  /** What the session's cookie holds. Beside the header of a key, good or bad, there is no session: the key alone counts. */
  readonly session: string | undefined;
  /** What pages of ours send along with a session, and others cannot know. */
  readonly csrf: string | undefined;
  /** The method changes nothing (RFC 9110 section 9.2.1), so that it is no matter which page sends it. */
  readonly safe: boolean;
}

const keyHeaders = ["x-nsone-key", "x-service-key"] as const;
const csrfHeader = "x-csrf-token";

/** `cookie` is the name of the session's cookie. */
export function credentialsOf(method: string, headers: IncomingHttpHeaders, cookie: string): Credentials {
  const hasKey = keyHeaders.some((name) => headers[name] !== undefined);
  const csrf = headers[csrfHeader];
  return {
    key: keyOf(headers),
    session: hasKey ? undefined : cookieOf(headers.cookie, cookie),
    csrf: typeof csrf === "string" ? csrf : undefined,
    safe: method === "GET" || method === "HEAD",
  };
}

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const keys = new Set(keyHeaders.map((name) => headers[name]).filter((key) => key !== undefined));
  const [key] = keys;
  return keys.size === 1 && typeof key === "string" && /^[\x21-\x7e]{1,256}$/.test(key) ? key : undefined;
}
