/** One write: the work of its handler, and everything else in the same transaction. */

import type { Outcome, WriteRequest as Request, StoredReply, Written } from "../../http/route/service.ts";
import { LongWork } from "../../lib/fair/yield.ts";
import { Problem } from "../../lib/problem.ts";
import { isDuplicate } from "../../storage/connection/failure.ts";
import type { TransactionOptions } from "../../storage/connection/transaction.ts";
import { insertChanges, type NewChange, newChange } from "../../storage/outbox/changes.ts";
import type { Caller } from "../access/caller.ts";
import { Rows } from "../kit/rows.ts";
import { type Db, holdSnapshot, lockAccount, type Tx } from "../kit/store.ts";
import { activityEntry, concernsAccess } from "./activity/entry.ts";
import { entriesWritten } from "./activity/store.ts";
import { type Ctx, contextOf, type WriteOptions } from "./context.ts";
import { findStored, storeReply } from "./idempotency.ts";
import { LockedNames, NameLocks } from "./locks.ts";

/** The author of a write. */
export interface Writer {
  /** The caller as known when the request arrived. */
  readonly caller: Caller;
  /** Reads the caller from the store, in the write's own transaction. Throws when the caller may no longer write. */
  readonly standing: (db: Db) => Promise<Caller>;
}

/** The request of a write; a write of the service itself has no sender. */
export type WriteRequest = Omit<Request<Caller, Ctx>, "recheck" | "sender" | "warnings"> &
  Pick<Ctx, "sender"> &
  Partial<Pick<Ctx, "warnings">>;

/** The request of a write by the service itself, and of a handler's own transaction. */
export const bareRequest = {
  requestId: "",
  sender: undefined,
  log: undefined,
  idempotency: undefined,
  shareable: false,
  exclusive: false,
  secret: false,
  precondition: undefined,
} satisfies WriteRequest;

/** A write whose handler has returned: the rows and change still to be sent, and the acts after COMMIT. */
export interface Prepared {
  readonly written: Written;
  readonly rows: Rows;
  /** The change, which gets its position in the order once all locks are held. */
  readonly change: NewChange | undefined;
  readonly acts: readonly (() => void)[];
  /** Whether the transaction must be rolled back. */
  readonly discarded?: boolean;
}

const nothingOf = (written: Written): Prepared => ({ written, rows: new Rows(), change: undefined, acts: [] });

/** Rolls back the transaction of a dry run. */
class Undone extends Error {
  readonly prepared: Prepared;

  constructor(prepared: Prepared) {
    super("rolled back");
    this.prepared = prepared;
  }
}

export class Write {
  readonly #options: WriteOptions;
  readonly #writer: Writer;
  readonly #request: WriteRequest;
  readonly #handler: (ctx: Ctx) => Promise<Outcome>;

  constructor(options: WriteOptions, writer: Writer, request: WriteRequest, handler: (ctx: Ctx) => Promise<Outcome>) {
    this.#options = options;
    this.#writer = writer;
    this.#request = request;
    this.#handler = handler;
  }

  get account_id(): string {
    return this.#writer.caller.account_id;
  }

  /** Whether the write may share a transaction: it needs no reads of its own, and uses the caller as known at the request. */
  get isShareable(): boolean {
    const { shareable, exclusive, precondition, idempotency } = this.#request;
    return shareable && !exclusive && precondition === undefined && idempotency === undefined;
  }

  /** Runs in a transaction of its own. Of two concurrent requests with the same Idempotency-Key, one fails and then returns the other's reply. */
  async run(options: TransactionOptions = {}): Promise<Prepared> {
    const { store } = this.#options;
    const { account_id } = this;
    await this.ready();
    const { exclusive: isExclusive } = this.#request;
    try {
      return await store.transaction(
        async (tx) => {
          const prepared = await this.prepare(tx, new NameLocks(new LockedNames(tx)));
          if (prepared.discarded) throw new Undone(prepared);
          await sendAll(tx, [prepared], this.isShareable ? undefined : new LongWork());
          return prepared;
        },
        { ...options, isExclusive, ...(account_id === "" ? {} : { account_id }) },
      );
    } catch (error) {
      if (error instanceof Undone) return error.prepared;
      if (!(error instanceof Problem || isDuplicate(error))) throw error;
      const replayed = await this.#replayed();
      if (replayed === undefined) throw error;
      return replayed;
    }
  }

  /** To be called before the transaction; undefined if nothing is left to wait for. */
  ready(): Promise<void> | undefined {
    return this.account_id === "" ? undefined : this.#options.memory.quotas.ready(this.account_id);
  }

  /** Runs the handler and returns its changes, for `sendAll`. */
  async prepare(tx: Tx, names: NameLocks): Promise<Prepared> {
    const { precondition, idempotency, exclusive, secret, sender, log } = this.#request;
    const { caller: known, standing } = this.#writer;
    if (precondition) await holdSnapshot(tx);
    if (exclusive) await lockAccount(tx, known.account_id);
    const caller = this.isShareable ? known : await standing(tx);
    const acts: (() => void)[] = [];
    const rows = new Rows();
    const ctx: Ctx = {
      ...contextOf(this.#options, tx, caller, this.#request.warnings),
      sender,
      names,
      send: (kind, row) => rows.add(kind, row),
      flush: () => rows.sendTo(tx),
      afterCommit: (act) => acts.push(typeof act === "string" ? this.#options.notify[act] : act),
    };
    const kept = idempotency && (await findStored(ctx, idempotency));
    if (kept) return replayOf(kept);
    if (precondition) await precondition(ctx);
    const { changed, discarded, resource, before, reply } = await this.#handler(ctx);
    // a write that does not share its transaction may be large: its rows are composed one by one
    const work = this.isShareable || discarded ? undefined : new LongWork();
    if (work) await sendInSteps(tx, rows, work);
    const { quotas, writers, changed: changedThings } = this.#options.memory;
    const { growth, zoneIds } = ctx.changes;
    quotas.assert(known.account_id, growth);
    acts.push(() => {
      quotas.add(known.account_id, growth);
      writers.add(known.account_id);
      changedThings.add(known.account_id, zoneIds);
    });
    if (discarded) return { ...nothingOf({ reply, change: undefined, replayed: false }), discarded };
    const warnings = log && concernsAccess(log) ? ctx.warnings.list : [];
    if (log && (changed || warnings.length > 0)) {
      const act = { caller, address: sender?.address ?? "", log, resource, before, warnings, now: ctx.now };
      ctx.send(entriesWritten, activityEntry(act));
      if (work) await sendInSteps(tx, rows, work);
    }
    if (idempotency) storeReply(ctx, idempotency, reply, secret);
    const change = changed ? changeOf(ctx, log) : undefined;
    return { written: { reply, change: change?.id, replayed: false }, rows, change, acts };
  }

  /** The reply to another request with the same Idempotency-Key, if the caller may still have it. */
  async #replayed(): Promise<Prepared | undefined> {
    const { idempotency } = this.#request;
    if (!idempotency) return undefined;
    const db = this.#options.store.readsOf(this.account_id);
    const ctx = contextOf(this.#options, db, await this.#writer.standing(db));
    const kept = await findStored(ctx, idempotency);
    return kept && replayOf(kept);
  }
}

async function sendInSteps(tx: Tx, rows: Rows, work: LongWork): Promise<void> {
  await rows.sendTo(tx, work);
  await work.giveWay();
}

const replayOf = (reply: StoredReply) => nothingOf({ reply, change: undefined, replayed: true });

/** Sends the rows and changes of writes together with COMMIT; no statement may follow. With `work`, it gives way meanwhile. */
export async function sendAll(tx: Tx, writes: readonly Prepared[], work?: LongWork): Promise<void> {
  const rows = new Rows();
  for (const write of writes) rows.addAll(write.rows);
  await rows.sendTo(tx, work);
  await insertChanges(
    tx,
    writes.flatMap(({ change }) => change ?? []),
    work,
  );
}

function changeOf({ account_id, caller, changes, now }: Ctx, log: WriteRequest["log"]): NewChange | undefined {
  const { zoneIds: zone_ids, steps, history, given } = changes;
  if (zone_ids.length === 0) return undefined;
  const author = { user_id: caller.id, user_name: caller.name, user_type: caller.kind, action: log?.join(" ") };
  return newChange({ account_id, zone_ids, changes: steps, history, author, now, given }, changes.id);
}
