/** The declaration of an endpoint, which is both executed (run.ts, server.ts) and documented (openapi.ts). */
import type { Static, TSchema } from "typebox";
import type { Content } from "../../lib/files/spool.ts";
import type { Settled } from "./service.ts";

export type Method = "GET" | "PUT" | "POST" | "DELETE";

/** The names of the `:parameters` of a path, as an object of strings. */
export type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name | keyof Params<`/${Rest}`>]: string }
  : Path extends `${string}:${infer Name}`
    ? { readonly [K in Name]: string }
    : Record<never, string>;

/** The zone or record for which the right is needed: permission rules allow or deny single zones and records. */
export interface Target {
  readonly zone?: string;
  readonly domain?: string;
  readonly type?: string;
}

export interface Input<Path extends string, Query, Body> {
  readonly params: Params<Path>;
  readonly query: Query;
  readonly body: Body;
  readonly page: Page;
}

/** Input without its types, as the runner makes it. */
export type AnyInput = Input<string, Readonly<Record<string, unknown>>, unknown>;

/** The requested slice of a listing; `limit` is already clamped to the route's page size. */
export interface Page {
  readonly limit: number;
  readonly after: string | undefined;
}

/** Everything about a reply besides its body. */
export interface ReplyOptions {
  /** The cursor of the next page, for the Link header; undefined on the last page. */
  readonly next?: string | undefined;
  /** The path of the listing that has the next page; default: the path of the request. */
  readonly listing?: string;
  /** The total number of items of all pages, where it is cheap to know; sent as X-Total-Count. */
  readonly total?: number | undefined;
  /** Writes: the earlier state, in the shape of `resource`; the activity entry stores the differences. */
  readonly before?: object | undefined;
  /** Writes: the resource in the activity entry; default: the body. */
  readonly resource?: unknown;
  /** Writes: false when nothing changed; then there is no activity entry, no change and no new serial. */
  readonly changed?: boolean;
  /** Writes: true for a dry run, which is rolled back. */
  readonly discarded?: boolean;
  /** Handlers with their own transactions: the id of the change. */
  readonly change?: string | undefined;
  /** Handlers with their own transactions: the value of `Set-Cookie`. */
  readonly cookie?: string;
}

/** A body with the options of its reply. A handler returns this or a bare body. */
export class Reply<T> {
  readonly body: T;
  readonly options: ReplyOptions;
  constructor(body: T, options: ReplyOptions) {
    this.body = body;
    this.options = options;
  }
}

/** A reply to GET that is a file, of a media type in the route's `produces`. */
export class Download {
  readonly content: Content;
  /** Letters, digits, dots, dashes and underscores only. */
  readonly name: string;
  readonly type: string;
  constructor(content: Content, name: string, type: string) {
    this.content = content;
    this.name = name;
    this.type = type;
  }
}

export interface Declaration<Path extends string, Q extends TSchema, B extends TSchema, R extends TSchema, Right, Ctx> {
  readonly method: Method;
  /** Fastify's spelling: `/v1/zones/:zone`. Parameters arrive percent-decoded once. */
  readonly path: Path;
  readonly summary: string;
  readonly desc?: string;
  /** The heading in the reference. */
  readonly tag: string;
  /** The required right, or several of which one is enough; `any`: every valid key; `open`: no key is needed. */
  readonly right: Right | readonly [Right, ...Right[]] | "any" | "open";
  /** The target of the right, from the path; left out for rights without zone rules. */
  readonly target?: (params: Params<Path>) => Target;
  readonly query?: Q;
  /** Refuses unknown query parameters from every caller, where a lost one would do damage. */
  readonly exactQuery?: true;
  readonly body?: B;
  /**
   * The body is a file instead of JSON, sent as it is or as the field of this name in a form (multipart/form-data). The
   * handler gets an AsyncIterable of its octets, which arrive while it reads; `body` describes them in the reference.
   */
  readonly upload?: string;
  /** The schemas of the handler's `Download` by media type. */
  readonly produces?: Readonly<Record<string, TSchema>>;
  /** The body of a GET without its longest list, for refusals of writes (412) that show the present state. */
  readonly abridged?: (body: Static<R>) => Static<R>;
  /** The schema of the reply; `status` answers `{}`, and `download` is always a `Download`. */
  readonly reply: R | "status" | "download";
  /** With `reply: "status"`: a sentence sent as plain text instead of `{}`. */
  readonly confirmation?: string;
  /**
   * The resource type and action of the activity entry, which is written in the same transaction from the result of
   * `run`. With `reply: "status"` the returned resource goes to the activity log only, and the caller gets `{}`.
   */
  readonly log?: readonly [resource: string, action: string];
  /** Items per page; enables `limit`, `after` and the Link header. */
  readonly page?: number;
  /** Writes whose reply has the first page of a listing, with the Link header. */
  readonly firstPage?: true;
  /** The most octets of a body; default 4 MiB, and 16 KiB if no key is needed. Files have the server's limit. */
  readonly mostBody?: number;
  /** The most values in the body; default 250,000. */
  readonly mostValues?: number;
  /** The most keys in all objects of the body together; default 10,000. */
  readonly mostKeys?: number;
  /** The most milliseconds that the write may take; default: the store's own limit, and ten seconds for a body above 64 KiB. */
  readonly within?: number;
  /**
   * Whether writes of this route may share a transaction with other writes. The handler must then send nothing but locks
   * to the store until it can no longer fail.
   */
  readonly shareable?: boolean;
  /**
   * Runs one exclusive write of an account at a time, for rules that concern all of its objects of one kind. The
   * caller's rights are checked again when the write's turn comes.
   */
  readonly exclusive?: boolean;
  /**
   * The handler of a write commits its own transactions before it returns. The runner adds no transaction, activity
   * entry or change, and does not support Idempotency-Key.
   */
  readonly ownTransaction?: boolean;
  /** Writes that wait after their commit until the change is numbered and answered; a warning tells what is outstanding. */
  readonly settle?: Settle<Static<R>>;
  /** The reply contains secrets: caches must not store it, and a stored copy is sealed. */
  readonly secret?: boolean;
  /**
   * On open routes for browser pages: refuses requests from pages of other sites, and requires the Content-Type of
   * JSON. All other routes do so for callers with a session.
   */
  readonly ownSite?: boolean;
  /** Refuses requests that do not come from this machine itself, or that a proxy has passed on. */
  readonly fromHere?: true;
  readonly run: (input: Input<Path, Static<Q>, Static<B>>, ctx: Ctx) => Promise<ReplyOf<R>>;
}

export interface Settle<Body> {
  /** Milliseconds. */
  readonly within: number;
  /** Returns the reply with the new serials, which are by zone id. */
  readonly show: (body: Body, serials: Settled["serials"]) => Body;
}

export type ReplyOf<R extends TSchema> = Static<R> | Reply<Static<R>> | Download | undefined;

/** A declaration without its types, as the server's list holds it. */
// biome-ignore lint/suspicious/noExplicitAny: the list holds routes of every shape; each was type-checked by routeFor
export type Route<Right = string, Ctx = unknown> = Declaration<any, any, any, any, Right, Ctx>;

/** Makes the `route` function of one service: rights and context are type-checked, the rest is inferred. */
export const routeFor =
  <Right extends string, Ctx>() =>
  <const Path extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema, R extends TSchema = TSchema>(
    declaration: Declaration<Path, Q, B, R, Right, Ctx>,
  ): Route<Right, Ctx> =>
    declaration;
