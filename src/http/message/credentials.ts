/** The credentials of a request: an API key in a header, or a session in a cookie. */
import type { IncomingHttpHeaders } from "node:http";
import { cookieOf } from "./cookie.ts";

export interface Credentials {
  /** undefined when it is missing, cannot be a key, or differs between two headers. */
  readonly key: string | undefined;
  /** The value of the session's cookie; undefined if there is a key header, valid or not: a key takes precedence. */
  readonly session: string | undefined;
  /** The CSRF token, which pages of this service send with a session and other pages cannot know. */
  readonly csrf: string | undefined;
  /** The method changes nothing (RFC 9110 section 9.2.1), so any page may send it. */
  readonly safe: boolean;
}

const keyHeaders = ["x-nsone-key", "x-service-key"] as const;
const csrfHeader = "x-csrf-token";

/** Reads the credentials; `cookie` is the name of the session's cookie. */
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
