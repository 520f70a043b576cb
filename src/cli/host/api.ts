/** A client of the running service's API, for commands. */
import type { Config } from "../../config/config.ts";
import { printEndpoint, reachable } from "../../config/values.ts";
import { credentialsFile, firstKey } from "../../lib/files/credentials.ts";
import { invalid, Problem, unavailable } from "../../lib/problem.ts";

/** The keys of the configuration that the client reads. */
export const apiConfig = ["http", "data", "apiKey"] as const;
export type ApiConfig = Pick<Config, (typeof apiConfig)[number]>;

export interface Replied<T> {
  readonly body: T;
  /** Whether something was changed. */
  readonly isChange: boolean;
}

export interface Api {
  /** Such as `http://127.0.0.1:8080/v1`. */
  readonly url: string;
  /** `path` begins after `/v1/`. Throws a Problem with the message of an error reply. */
  call<T>(method: string, path: string, body?: unknown): Promise<Replied<T>>;
  /** For bodies other than JSON: returns the reply with its body unread. Throws as `call` does. */
  fetch(method: string, path: string, body?: Blob | ReadableStream | string): Promise<Response>;
  /** Like `call` with GET; undefined if the reply is 404. */
  find<T>(path: string): Promise<T | undefined>;
}

/** Uses the configured key, otherwise the first key in the data directory. Throws a Problem if there is neither. */
export function apiOf(config: ApiConfig): Api {
  const key = config.apiKey ?? firstKey(config.data);
  if (key === undefined) {
    throw invalid(`--api-key is required: there is no key in ${credentialsFile(config.data)} (--data)`);
  }
  const origin = `http://${printEndpoint(reachable(config.http))}`;
  const fetched: Api["fetch"] = async (method, path, body) => {
    const init = { method, headers: { "X-SERVICE-Key": key }, duplex: "half" as const };
    const reply = await ask(strictly(`${origin}/v1/${path}`), body === undefined ? init : { ...init, body });
    if (!reply.ok) await contentOf(reply, `${method} ${path}`);
    return reply;
  };
  const call: Api["call"] = async (method, path, body) => {
    const reply = await fetched(method, path, body === undefined ? undefined : JSON.stringify(body));
    return { body: await contentOf(reply, `${method} ${path}`), isChange: reply.headers.has("x-fairlead-change") };
  };
  const find = async <T>(path: string) => {
    try {
      return (await call<T>("GET", path)).body;
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return undefined;
      throw error;
    }
  };
  return { url: `${origin}/v1`, call, fetch: fetched, find };
}

/** A command must not lose a field that the service does not know: it may be older or newer. */
const strictly = (url: string) => `${url}${url.includes("?") ? "&" : "?"}strict=true`;

async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch {
    throw unavailable(`nothing answers at ${new URL(url).origin}: is the service running there (--http)?`);
  }
}

async function contentOf<T>(reply: Response, request: string): Promise<T> {
  const text = await reply.text();
  try {
    const body = JSON.parse(text);
    if (reply.ok) return body;
    throw new Problem("invalid", `${request}: ${body.message}`, body.details, reply.status);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unavailable(`${request}: the server at ${new URL(reply.url).origin} is not Fairlead`);
  }
}
