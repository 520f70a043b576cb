/** Calls of the API with the session of this browser. It is the only way in which pages reach the service. */
import { kitTexts } from "../text/kit.ts";
import { confirming } from "./confirmation.ts";
import { isObject } from "./is-object.ts";
import { noteChange } from "./last-change.ts";
import { noteResult } from "./outage.ts";
import type { Operations } from "./types.ts";

export type Operation = keyof Operations;

type Of<O extends Operation, Part extends keyof Operations[O]> = Operations[O][Part];

export interface Call<O extends Operation> {
  readonly path?: Of<O, "path">;
  readonly query?: Of<O, "query">;
  readonly body?: Of<O, "body">;
  /** The ETag that what is written must still have. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reply<O extends Operation> {
  readonly data: Of<O, "reply">;
  readonly etag: string | undefined;
  /** The number of things in all pages of a list. */
  readonly total: number | undefined;
  /** The text with which the next page of a list is asked for. */
  readonly after: string | undefined;
  /** The id of the change that a write made. */
  readonly change: string | undefined;
  readonly warnings: readonly string[];
}

/** A refusal by the service, or a call that did not reach it: `status` is then 0. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: { readonly [key: string]: unknown };
  /** Seconds after which another try is sensible. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, details: { readonly [key: string]: unknown } = {}, retryAfter?: number) {
    super(message);
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }

  /** Whether another try may help, since the refusal is not about what was asked for. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }

  /** The field that was refused: as the service names it, or as its message begins. */
  get field(): string | undefined {
    const { field } = this.details;
    if (typeof field === "string") return field;
    return /^([a-z_]\w*(?:\[\d+\]|\.\w+)*): /i.exec(this.message)?.[1];
  }
}

/** The folder of the service in the address of this page, with a final slash. */
export const root = new URL(document.documentElement.dataset["root"] ?? "./", location.href);

/** Milliseconds after which a call is given up. */
const longest = 60_000;

let csrf = "";

/** Keeps the token that writes with the session need. */
export function keepToken(token: string): void {
  csrf = token;
}

type Listener = (error: ApiError) => void;
const listeners = new Set<Listener>();

/** Calls `listener` at each refusal; returns a function that ends this. */
export function onRefusal(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const mustConfirm = (error: unknown) =>
  error instanceof ApiError && error.status === 403 && error.details["confirm"] === "password";

/** Calls the API. Throws an ApiError for every answer but 2xx. */
export async function call<O extends Operation>(operation: O, options: Call<O> = {}): Promise<Reply<O>> {
  try {
    const reply = await confirming(() => send(operation, options), mustConfirm);
    noteResult(operation, undefined);
    if (reply.change !== undefined) noteChange(reply.change);
    return reply;
  } catch (error) {
    if (error instanceof ApiError) {
      noteResult(operation, error);
      for (const listener of listeners) listener(error);
    }
    throw error;
  }
}

async function send<O extends Operation>(operation: O, options: Call<O>): Promise<Reply<O>> {
  const response = await reach(operation, options);
  const text = await response.text().catch((error: unknown) => {
    throw isAborted(options) ? error : unreachable(operation, options);
  });
  return {
    data: (isJson(response) ? JSON.parse(text) : text) as Of<O, "reply">,
    etag: response.headers.get("etag") ?? undefined,
    total: numberOf(response.headers.get("x-total-count")),
    after: afterOf(response.headers.get("link")),
    change: response.headers.get("x-fairlead-change") ?? undefined,
    warnings: warningsOf(response.headers.get("warning")),
  };
}

/** Reads a reply that is a file, with the name that the service gives it. */
export async function callFile<O extends Operation>(operation: O, options: Call<O> = {}) {
  const response = await reach(operation, options);
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  return { name, content: await response.blob() };
}

/** The service's answer, if it is 2xx. */
async function reach<O extends Operation>(operation: O, options: Call<O>): Promise<Response> {
  const [method = "GET"] = operation.split(" ");
  const isRead = method === "GET";
  const { body, signal, ifMatch } = options;
  const isFile = typeof body === "string" || body instanceof Blob;
  const headers: { [name: string]: string } = {};
  if (!isRead) {
    headers["X-CSRF-Token"] = csrf;
    headers["Content-Type"] = "application/json";
  }
  if (ifMatch !== undefined) headers["If-Match"] = ifMatch;
  const response = await fetch(urlOf(operation, options), {
    method,
    headers,
    credentials: "same-origin",
    signal: AbortSignal.any([AbortSignal.timeout(longest), ...(signal ? [signal] : [])]),
    ...(isRead ? {} : { body: isFile ? (body as string) : JSON.stringify(body ?? {}) }),
  }).catch((error: unknown) => {
    throw isAborted(options) ? error : unreachable(operation, options);
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}

const isAborted = ({ signal }: { readonly signal?: AbortSignal | undefined }) => signal?.aborted === true;

/** No answer came. Whether a change was made is then not known. */
function unreachable<O extends Operation>(operation: O, { query }: Call<O>): ApiError {
  const { dry_run } = (query ?? {}) as { readonly dry_run?: boolean };
  const isChange = !/^GET |^POST \/v1\/(explain|auth)/.test(operation) && dry_run !== true;
  const text = "no answer came from the service: look whether the change was made before you try again";
  return new ApiError(0, isChange ? text : "the service cannot be reached");
}

/** The address of an operation, below the folder of the service. */
export function urlOf<O extends Operation>(operation: O, { path, query }: Pick<Call<O>, "path" | "query"> = {}): URL {
  const [, template = ""] = operation.split(" ");
  const values = (path ?? {}) as { readonly [name: string]: unknown };
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const url = new URL(`.${filled}`, root);
  for (const [name, value] of Object.entries((query ?? {}) as { readonly [name: string]: unknown })) {
    for (const one of [value].flat()) if (one !== undefined && one !== "") url.searchParams.append(name, String(one));
  }
  return url;
}

async function errorOf(response: Response): Promise<ApiError> {
  const retryAfter = numberOf(response.headers.get("retry-after"));
  const said: unknown = await response.json().catch(() => undefined);
  const { message, details: given } = isObject(said) ? said : {};
  const details = isObject(given) ? given : {};
  const known = typeof message === "string" ? message : `the service answered ${response.status}`;
  const lacked = response.status === 403 ? lackOf(details) : undefined;
  return new ApiError(response.status, lacked ?? known, details, retryAfter);
}

/** The sentence about a right or a password that the user has not given. */
function lackOf({ permission, zone, confirm }: ApiError["details"]): string | undefined {
  if (confirm === "password") return kitTexts.needsPassword;
  if (typeof permission !== "string") return undefined;
  return kitTexts.lacksRight(permission, typeof zone === "string" ? zone : undefined);
}

const isJson = (response: Response) => /\bjson\b/.test(response.headers.get("content-type") ?? "");

const numberOf = (text: string | null) => (text === null || text === "" ? undefined : Number(text));

function afterOf(link: string | null): string | undefined {
  const [, target] = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? "") ?? [];
  return target === undefined ? undefined : (new URL(target, root).searchParams.get("after") ?? undefined);
}

/** The texts of Warning headers: `299 - "text"`, separated by commas. */
const warningsOf = (header: string | null) =>
  [...(header ?? "").matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1"));
