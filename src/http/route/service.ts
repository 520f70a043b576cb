/** The interface of a service that the route kit runs: authentication, permission and transactions. */
import type { Rate } from "../../lib/fair/bucket.ts";
import type { ClientNames } from "../message/address.ts";
import type { Credentials } from "../message/credentials.ts";
import type { Target } from "./route.ts";
import type { Warnings } from "./warnings.ts";

export interface Service<Caller, Right extends string, Ctx> {
  /**
   * Finds the caller to whom a key or session belongs, if any. Runs even without credentials, so that refusing a missing
   * key takes as long as refusing a wrong one. Throws `denied` when a session writes without the CSRF token.
   */
  readonly authenticate: Find<Caller>;
  /** Throws `denied` when the caller's account is suspended, or the caller may not connect from this address. */
  admit(caller: Caller, address: string): void;
  /** Throws `denied` when the caller has none of `rights` on `target`, or must prove again who it is before a write. */
  permit(caller: Caller, rights: readonly [Right, ...Right[]], target: Target | undefined, isWrite: boolean): void;
  /** Returns the caller's bucket for rate limits. */
  accountOf(caller: Caller): string;
  /** Returns the rate for requests of one method of an account; without a caller, the rate of an address. */
  rate(caller: Caller | undefined): Rate;
  /**
   * Runs a handler that changes nothing, or that writes in its own transactions. `caller` is undefined on open routes.
   */
  read<T>(caller: Caller | undefined, request: ReadRequest<Caller>, run: (ctx: Ctx) => Promise<T>): Promise<T>;
  /**
   * Runs a write in one transaction, which a shareable write may share with other writes. The order is: wait in the queue
   * of exclusive writes, `recheck` unless the transaction is shared, the idempotency row (same key and request: the stored
   * reply and nothing else; same key and another request: `conflict`), `precondition`, `run`, the activity entry and the
   * change if something changed, the reply into the idempotency row. Exclusive writes, and those with an Idempotency-Key
   * or a precondition, do not share a transaction. Publishes after commit. A retry calls `run` again.
   */
  write(
    caller: Caller | undefined,
    request: WriteRequest<Caller, Ctx>,
    run: (ctx: Ctx) => Promise<Outcome>,
  ): Promise<Written>;
  /** Waits at most `within` milliseconds until a change of the caller has its serials and every edge answers it. */
  settle(caller: Caller, change: string, within: number): Promise<Settled>;
}

/** The state of a committed change after a wait. */
export interface Settled {
  /** The new serials by zone id; none for a change without its number. */
  readonly serials: Readonly<Record<string, number>>;
  /** A warning about work that the change still waits for; undefined if there is none. */
  readonly outstanding: string | undefined;
}

/** Finds the caller of a key or session; at once if the caller is known. */
export type Find<Caller> = (
  credentials: Credentials,
  sender: Sender,
) => Caller | undefined | Promise<Caller | undefined>;

/** Finds the caller again with `find`. Throws when the caller may no longer make the request. */
export type Recheck<Caller> = (find: Find<Caller>) => Promise<Caller | undefined>;

/** The sender of a request, as far as the request itself shows. */
export interface Sender extends ClientNames {
  /** In canonical spelling. */
  readonly address: string;
  readonly agent: string;
  readonly credentials: Credentials;
}

export interface ReadRequest<Caller> {
  readonly sender: Sender;
  /** Handlers add to it through their context. */
  readonly warnings: Warnings;
  /** Present when the handler writes in its own transactions. */
  readonly recheck?: Recheck<Caller>;
}

export interface WriteRequest<Caller, Ctx> {
  readonly recheck: Recheck<Caller>;
  readonly requestId: string;
  readonly sender: Sender;
  /** Handlers add to it through their context. */
  readonly warnings: Warnings;
  /** The resource type and action of the activity entry; undefined for writes without one. */
  readonly log: readonly [resource: string, action: string] | undefined;
  /** Present when the caller sent an Idempotency-Key; its scope is the caller. */
  readonly idempotency: Idempotency | undefined;
  /** The write may share a transaction with other writes. */
  readonly shareable: boolean;
  /** Only one exclusive write of an account runs at a time. */
  readonly exclusive: boolean;
  /** The reply contains secrets: a stored copy must be sealed. */
  readonly secret: boolean;
  /** The most milliseconds that the write may take; default: the store's own limit. */
  readonly within?: number | undefined;
  /**
   * If-Match and If-None-Match: throws `precondition_failed`. The check holds until commit only if a concurrent change
   * of a row makes the transaction fail and start again, so run such a transaction at REPEATABLE READ.
   */
  readonly precondition: ((ctx: Ctx) => Promise<void>) | undefined;
}

export interface Idempotency {
  readonly key: string;
  /** SHA-256 of method, path, query and body, 64 hex digits. */
  readonly request: string;
}

/** The outcome of a handler. */
export interface Outcome {
  /** False when nothing changed: then there is no activity entry and no change. */
  readonly changed: boolean;
  /** True when everything must be rolled back. */
  readonly discarded?: boolean;
  /** The resource in the activity entry. */
  readonly resource: unknown;
  /** The earlier state; undefined when there was none or it was not read. */
  readonly before?: object | undefined;
  readonly reply: StoredReply;
}

/** A reply as it is sent, and as it is stored for an Idempotency-Key. */
export interface StoredReply {
  readonly status: number;
  /** The headers that belong to the body: those of a page. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Written {
  readonly reply: StoredReply;
  /** The id of the change; undefined when nothing changed, or when it is not known any more for a replayed reply. */
  readonly change: string | undefined;
  /** The reply belongs to an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}
