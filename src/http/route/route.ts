/** What an endpoint declares. The same declaration is executed (run.ts, server.ts) and documented (openapi.ts). */
import type { Static, TSchema } from "typebox";
import type { Content } from "../../lib/files/spool.ts";

export type Method = "GET" | "PUT" | "POST" | "DELETE";

/** The names of the `:parameters` of a path, as an object of strings. */
export type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name | keyof Params<`/${Rest}`>]: string }
  : Path extends `${string}:${infer Name}`
    ? { readonly [K in Name]: string }
    : Record<never, string>;

/** Where in the tenant's tree a right is needed: rules that allow or deny single zones and records look at it. */
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

/** Input with its types forgotten, as the runner makes it. */
export type AnyInput = Input<string, Readonly<Record<string, unknown>>, unknown>;

/** The slice that a listing was asked for; `limit` is already clamped to the route's page size. */
export interface Page {
  readonly limit: number;
  readonly after: string | undefined;
}

/** The manner of a reply, beside its body. */
export interface Manner {
  /** Of a listing: the cursor of the following page, for the Link header; undefined on the last page. */
  readonly next?: string | undefined;
  /** Of a listing: the number of items in all, where it is known cheaply; sent as X-Total-Count. */
  readonly total?: number | undefined;
  /** Of a write: the state before it, in the shape of `resource`, so that the activity entry keeps the differences. */
  readonly before?: object | undefined;
  /** Of a write: the resource that the activity entry keeps; the body when left out. */
  readonly resource?: unknown;
  /** Of a write: false when it found nothing to change, so that there is no activity entry, no change and no serial. */
  readonly changed?: boolean;
  /** Of a write: it was only tried, and everything is rolled back. */
  readonly discarded?: boolean;
  /** Of a handler with a transaction of its own: the id of the change. */
  readonly change?: string | undefined;
  /** Of a handler with a transaction of its own: the value of `Set-Cookie`. */
  readonly cookie?: string;
}

/** A handler returns its body alone, or with the manner of the reply. */
export class Reply<T> {
  readonly body: T;
  readonly manner: Manner;
  constructor(body: T, manner: Manner) {
    this.body = body;
    this.manner = manner;
  }
}

/** A reply to GET that is a file, of a type that the route's `produces` names. */
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
  /** Heading in the reference. */
  readonly tag: string;
  /** The right that the caller needs, or several of which one is enough; `any` for every valid key; `open` for no key at all. */
  readonly right: Right | readonly [Right, ...Right[]] | "any" | "open";
  /** Where the right is needed, from the path; left out for rights without zone rules. */
  readonly target?: (params: Params<Path>) => Target;
  readonly query?: Q;
  /** Refuses query parameters that are not known. Elsewhere existing clients call, and send some that mean nothing here. */
  readonly exactQuery?: true;
  readonly body?: B;
  /**
   * The body is no JSON but a file, sent as it is or as the field of this name in a form (multipart/form-data). The
   * handler gets an AsyncIterable of its octets, which come in while it reads them; `body` says to readers what they are.
   */
  readonly upload?: string;
  /** What a `Download` that the handler returns may hold, by its media type. */
  readonly produces?: Readonly<Record<string, TSchema>>;
  /** Schema of the reply; `status` answers `{}`, and `download` is never anything but a `Download`. */
  readonly reply: R | "status" | "download";
  /** With `reply: "status"`: a sentence that is answered instead of `{}`, as plain text. */
  readonly confirmation?: string;
  /**
   * Resource type and action of the activity entry, which the runner writes in the same transaction from what `run`
   * returned. With `reply: "status"` the returned resource goes to the log only, and the caller gets `{}`.
   */
  readonly log?: readonly [resource: string, action: string];
  /** Items on a page: turns on `limit`, `after` and the Link header. */
  readonly page?: number;
  /** Octets of body that are accepted; 2 MiB unless said otherwise. Files have the server's limit. */
  readonly maxBody?: number;
  /** Keys in all objects of the body together; 10,000 unless said otherwise. */
  readonly maxKeys?: number;
  /** Milliseconds that the write may take; what the store gives any other when left out. */
  readonly within?: number;
  /** Whether Idempotency-Key is honoured: true for every PUT and POST unless said otherwise. */
  readonly idempotent?: boolean;
  /**
   * Whether writes of this route may share a transaction with others. The handler then sends nothing to the store before
   * it can no longer fail, but for locks.
   */
  readonly shareable?: boolean;
  /**
   * Of an account's writes that say so one runs at a time: for rules over all that the account has of a kind. Whoever
   * may do it no more when its turn has come is refused.
   */
  readonly exclusive?: boolean;
  /**
   * The handler of a write makes what it writes durable itself, before it returns: there is no transaction around it, no
   * activity entry and no change but what the handler sees to, and no Idempotency-Key is kept.
   */
  readonly ownTransaction?: boolean;
  /** The reply holds secrets: it is not to be kept by any cache, and sealed wherever we keep it. */
  readonly secret?: boolean;
  /**
   * For pages in browsers, though open: pages of other sites may not send it, and its body must be called JSON. On other
   * routes that holds for whoever comes with a session.
   */
  readonly ownSite?: boolean;
  readonly run: (input: Input<Path, Static<Q>, Static<B>>, ctx: Ctx) => Promise<ReplyOf<R>>;
}

export type ReplyOf<R extends TSchema> = Static<R> | Reply<Static<R>> | Download | undefined;

/** A declaration with its types forgotten, as the server's list holds it. */
// biome-ignore lint/suspicious/noExplicitAny: the list holds routes of every shape; each was type-checked by routeFor
export type Route<Right = string, Ctx = unknown> = Declaration<any, any, any, any, Right, Ctx>;

/** The `route` function for one service: rights and context are checked, the rest is inferred from the declaration. */
export const routeFor =
  <Right extends string, Ctx>() =>
  <const Path extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema, R extends TSchema = TSchema>(
    declaration: Declaration<Path, Q, B, R, Right, Ctx>,
  ): Route<Right, Ctx> =>
    declaration;
