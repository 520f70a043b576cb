/** What the route kit asks of the service whose routes it runs: who is asking, may they, and the transaction. */
import type { Rate } from "../../lib/fair/bucket.ts";
import type { Credentials } from "../message/credentials.ts";
import type { Target } from "./route.ts";

export interface Service<Caller, Right extends string, Ctx> {
  /**
   * Whose key or session this is; undefined when no caller has it. Asked also when the request carries nothing that could
   * be one, so that the refusal takes as long as that of a wrong key. Throws `denied` for a session's write without the
   * token that pages of ours send.
   */
  authenticate(credentials: Credentials, sender: Sender): Promise<Caller | undefined>;
  /** Throws `denied` when nothing is done for the caller's account, or the caller may not come from this address. */
  admit(caller: Caller, address: string): void;
  /** Throws `denied` when the caller has none of the rights, there. */
  permit(caller: Caller, rights: readonly [Right, ...Right[]], target: Target | undefined): void;
  /** The bucket of rate limits. */
  accountOf(caller: Caller): string;
  /** How many requests of one method an account may send; for no caller, how many an address may. */
  rate(caller: Caller | undefined): Rate;
  /**
   * Runs a handler that changes nothing, or that writes in a transaction of its own. `caller` is undefined on routes that
   * are open to everybody.
   */
  read<T>(caller: Caller | undefined, request: ReadRequest<Caller>, run: (ctx: Ctx) => Promise<T>): Promise<T>;
  /**
   * One transaction, which it shares with others when it is shareable, in this order: its turn when it is exclusive,
   * `recheck` unless it is shareable, the idempotency row (same key and request: the stored reply and nothing else; same
   * key and another request: `conflict`), `precondition`, `run`, the activity entry and the change when the outcome is
   * changed, the reply into the idempotency row. Publishes after commit. `run` may be called again by a retry.
   */
  write(
    caller: Caller | undefined,
    request: WriteRequest<Caller, Ctx>,
    run: (ctx: Ctx) => Promise<Outcome>,
  ): Promise<Written>;
}

/** Says whose key or session it is. */
export type Find<Caller> = (credentials: Credentials, sender: Sender) => Promise<Caller | undefined>;

/** Who is asking by now, as `find` says. Throws when there is nobody any more who may do this. */
export type Recheck<Caller> = (find: Find<Caller>) => Promise<Caller | undefined>;

/** Who sent a request, as far as the request itself tells. */
export interface Sender {
  /** In canonical spelling. */
  readonly address: string;
  /** What stands for the address where many are counted: the /64 of an IPv6 address. */
  readonly bucket: string;
  readonly agent: string;
  readonly credentials: Credentials;
}

export interface ReadRequest<Caller> {
  readonly sender: Sender;
  /** There when the handler writes in transactions of its own. */
  readonly recheck?: Recheck<Caller>;
}

export interface WriteRequest<Caller, Ctx> {
  readonly recheck: Recheck<Caller>;
  readonly requestId: string;
  readonly sender: Sender;
  /** Resource type and action of the activity entry; undefined for writes that leave none. */
  readonly log: readonly [resource: string, action: string] | undefined;
  /** There when the caller sent an Idempotency-Key that this route honours; its scope is the caller. */
  readonly idempotency: Idempotency | undefined;
  /** The handler allows that the write shares a transaction with others. */
  readonly shareable: boolean;
  /** Of an account's writes that say so one runs at a time. */
  readonly exclusive: boolean;
  /** The reply holds secrets: a stored copy must be sealed. */
  readonly secret: boolean;
  /** Milliseconds that it may take, when not as many as any other. */
  readonly within?: number | undefined;
  /**
   * If-Match and If-None-Match: throws `precondition_failed`. Holds until commit only when a row that was changed by
   * somebody else in between makes the transaction fail and start again, so run such a transaction at REPEATABLE READ.
   */
  readonly precondition: ((ctx: Ctx) => Promise<void>) | undefined;
}

export interface Idempotency {
  readonly key: string;
  /** SHA-256 of method, path, query and body, 64 hex digits. */
  readonly request: string;
}

/** What a handler left behind. */
export interface Outcome {
  /** False when there was nothing to change: then no activity entry and no change. */
  readonly changed: boolean;
  /** True when everything is to be rolled back. */
  readonly discarded?: boolean;
  /** What the activity entry keeps. */
  readonly resource: unknown;
  /** What stood there in its place; undefined when nothing did, or nobody kept it. */
  readonly before?: object | undefined;
  readonly reply: StoredReply;
}

/** An answer as it goes out, and as it is kept for an Idempotency-Key. */
export interface StoredReply {
  readonly status: number;
  readonly body: string;
}

export interface Written {
  readonly reply: StoredReply;
  /** Id of the change; undefined when nothing changed, or when it is no longer known for a replayed reply. */
  readonly change: string | undefined;
  /** The reply is that of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}
