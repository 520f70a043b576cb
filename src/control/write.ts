/** One write: what its handler does, and all that goes with it into the same transaction. */
import type { Idempotency, Outcome, StoredReply, WriteRequest, Written } from "../http/service.ts";
import { conflict, Problem } from "../lib/problem.ts";
import { isSealed } from "../lib/secrets.ts";
import { insertChanges, type NewChange, newChange } from "../storage/changes.ts";
import type { TransactionOptions } from "../storage/transaction.ts";
import type { Caller } from "./access/caller.ts";
import { activityEntry } from "./activity/entry.ts";
import { entriesWritten } from "./activity/store.ts";
import { type Ctx, contextOf, type ServiceOptions } from "./context.ts";
import { findReply, type KeptReply, repliesKept } from "./idempotency/store.ts";
import { LockedNames, NameLocks } from "./records/locks.ts";
import { Rows } from "./rows.ts";
import { type Db, holdSnapshot, isDuplicate, type Tx } from "./store.ts";

/** A write that is through with its handler: what it leaves to be sent, and what comes after COMMIT. */
export interface Prepared {
  readonly written: Written;
  readonly rows: Rows;
  /** Takes its place in the order when all locks are held. */
  readonly change: NewChange | undefined;
  readonly acts: readonly (() => void)[];
  /** The transaction is to be rolled back. */
  readonly discarded?: boolean;
}

const nothingOf = (written: Written): Prepared => ({ written, rows: new Rows(), change: undefined, acts: [] });

/** Ends the transaction of a write that was only tried. */
class Undone extends Error {
  readonly prepared: Prepared;

  constructor(prepared: Prepared) {
    super("rolled back");
    this.prepared = prepared;
  }
}

export class Write {
  readonly #options: ServiceOptions;
  readonly #caller: Caller;
  readonly #request: WriteRequest<Ctx>;
  readonly #handler: (ctx: Ctx) => Promise<Outcome>;

  constructor(
    options: ServiceOptions,
    caller: Caller,
    request: WriteRequest<Ctx>,
    handler: (ctx: Ctx) => Promise<Outcome>,
  ) {
    this.#options = options;
    this.#caller = caller;
    this.#request = request;
    this.#handler = handler;
  }

  /** Whether it may share a transaction: it needs nothing of its own from the store. */
  get isShareable(): boolean {
    const { shareable, precondition, idempotency } = this.#request;
    return shareable && precondition === undefined && idempotency === undefined;
  }

  /** In a transaction of its own. A request that was sent twice at once fails in one of the two, which then gives the other's reply. */
  async run(options: TransactionOptions = {}): Promise<Prepared> {
    const { store } = this.#options;
    try {
      return await store.transaction(async (tx) => {
        const prepared = await this.prepare(tx, new NameLocks(new LockedNames(tx)));
        if (prepared.discarded) throw new Undone(prepared);
        sendAll(tx, [prepared]);
        return prepared;
      }, options);
    } catch (error) {
      if (error instanceof Undone) return error.prepared;
      const replayed = this.#request.idempotency && (await this.#replay(store.db, this.#request.idempotency));
      if (replayed && (error instanceof Problem || isDuplicate(error))) return replayed;
      throw error;
    }
  }

  /** Runs the handler. What it changes is in the result, for `sendAll`. */
  async prepare(tx: Tx, names: NameLocks): Promise<Prepared> {
    const { precondition, idempotency } = this.#request;
    if (precondition) await holdSnapshot(tx);
    const replayed = idempotency && (await this.#replay(tx, idempotency));
    if (replayed) return replayed;
    const acts: (() => void)[] = [];
    const rows = new Rows();
    const ctx: Ctx = {
      ...contextOf(this.#options, tx, this.#caller),
      address: this.#request.address,
      names,
      send: (kind, row) => rows.add(kind, row),
      flush: () => rows.sendTo(tx),
      afterCommit: (act) => acts.push(act),
    };
    if (precondition) await precondition(ctx);
    const { changed, discarded, resource, before, reply } = await this.#handler(ctx);
    if (discarded) return { ...nothingOf({ reply, change: undefined, replayed: false }), discarded };
    if (changed) this.#logTo(ctx, resource, before);
    if (idempotency) this.#keep(ctx, idempotency, reply);
    const change = changed ? changeOf(ctx, this.#request.log) : undefined;
    return { written: { reply, change: change?.id, replayed: false }, rows, change, acts };
  }

  #logTo(ctx: Ctx, resource: unknown, before: object | undefined): void {
    const { log, address } = this.#request;
    if (!log) return;
    ctx.send(entriesWritten, activityEntry({ caller: this.#caller, address, log, resource, before, now: ctx.now }));
  }

  #keep({ send, now }: Ctx, { key: sent, request }: Idempotency, { status, body }: StoredReply): void {
    const { account_id } = this.#caller;
    const key = ownKey(this.#caller, sent);
    const kept = this.#request.secret ? this.#options.secrets.seal(body, sealedFor(account_id, key)) : body;
    send(repliesKept, { account_id, key, request, status, body: kept, created: now });
  }

  async #replay(db: Db, { key, request }: Idempotency): Promise<Prepared | undefined> {
    const own = ownKey(this.#caller, key);
    const kept = await findReply(db, this.#caller.account_id, own);
    if (!kept) return undefined;
    if (kept.request !== request) {
      throw conflict(`the Idempotency-Key "${key}" was sent before with another request`, { key });
    }
    return nothingOf({ reply: this.#opened(kept, own), change: undefined, replayed: true });
  }

  #opened({ status, body }: KeptReply, own: string): StoredReply {
    const { secrets } = this.#options;
    return { status, body: isSealed(body) ? secrets.open(body, sealedFor(this.#caller.account_id, own)) : body };
  }
}

/** Sends what writes leave behind, together with COMMIT: nothing may follow it. */
export function sendAll(tx: Tx, writes: readonly Prepared[]): void {
  const rows = new Rows();
  for (const write of writes) rows.addAll(write.rows);
  rows.sendTo(tx);
  insertChanges(
    tx,
    writes.flatMap(({ change }) => change ?? []),
  );
}

function changeOf({ account_id, caller, changes, now }: Ctx, log: WriteRequest<Ctx>["log"]): NewChange | undefined {
  const { zoneIds: zone_ids, steps, history, given } = changes;
  if (zone_ids.length === 0) return undefined;
  const author = { user_id: caller.id, user_name: caller.name, user_type: caller.kind, action: log?.join(" ") };
  return newChange({ account_id, zone_ids, changes: steps, history, author, now, given }, changes.id);
}

/** An Idempotency-Key is its caller's: nobody gets the reply that another, who may see more, was given. */
const ownKey = (caller: Caller, key: string) => `${caller.id}:${key}`;

const sealedFor = (account_id: string, own: string) => `idempotency.body:${account_id}:${own}`;
