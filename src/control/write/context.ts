/** The context of a handler: the store, the caller, the time, and methods that note changes. */

import type { Sender } from "../../http/route/service.ts";
import { Warnings } from "../../http/route/warnings.ts";
import { type Clock, seconds } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { Store } from "../../storage/db.ts";
import type { Caller } from "../access/caller.ts";
import type { RowKind } from "../kit/rows.ts";
import type { Db } from "../kit/store.ts";
import { Changes } from "./changes.ts";
import { LockedNames, NameLocks } from "./locks.ts";
import type { Memory } from "./memory.ts";
import type { Settings } from "./settings.ts";

export interface Ctx {
  readonly db: Db;
  readonly caller: Caller;
  readonly account_id: string;
  /** The sender of the request; undefined for writes of the service itself. */
  readonly sender: Sender | undefined;
  /** Unix seconds. */
  readonly now: number;
  readonly random: Random;
  readonly secrets: Secrets;
  readonly settings: Settings;
  /** Recent events that this process remembers about its callers. */
  readonly memory: Memory;
  readonly changes: Changes;
  /** Warnings that go with the reply. */
  readonly warnings: Warnings;
  /** Locks owner names until the transaction ends, and reads the records there. Outside of writes it only reads. */
  readonly names: NameLocks;
  /** Gathers a row. All gathered rows are sent, in any order, when the handler has returned. Only in writes. */
  send<Row>(kind: RowKind<Row>, row: Row): void;
  /** Sends the gathered rows now, for a handler that reads them again. Shareable writes must not call it. */
  flush(): void;
  /** Runs an act, or notifies the followers of a topic, once the transaction is committed. */
  afterCommit(act: (() => void) | Topic): void;
  /**
   * Runs a step in a transaction of its own, with the activity entry and the change of a write, for routes with
   * `ownTransaction`. The step may run again when the transaction conflicts with another. `by` is the caller, for handlers
   * that identify the caller themselves, as at sign-in.
   */
  transact<T>(log: readonly [resource: string, action: string], step: Step<T>, by?: Caller): Promise<Transacted<T>>;
}

/** The part of a context that reads for a caller need. */
export type ReadCtx = Pick<Ctx, "db" | "account_id" | "now"> & { readonly caller: Pick<Caller, "access"> };

/** A part of the process that is notified after a commit: the caches of callers, the mail sender, the followers of feeds. */
export type Topic = "callers" | "mail" | "feeds";

/** The work of a transaction. Returns its result and, for the activity entry, the resource now and before. */
export type Step<T> = (
  ctx: Ctx,
) => Promise<{ readonly result: T; readonly resource: unknown; readonly before?: object | undefined }>;

export interface Transacted<T> {
  readonly result: T;
  /** Id of the change. */
  readonly change: string | undefined;
}

/** The row of a changed thing, before and after. */
export interface Changed<Row> {
  readonly before: Row;
  readonly row: Row;
  readonly changed: boolean;
}

/** The parts of the service that transactions need. */
export interface WriteOptions {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly settings: Settings;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly random: Random;
  /** Called after a commit, by topic. */
  readonly notify: Readonly<Record<Topic, () => void>>;
  /** Called after each commit that left a change. */
  readonly wake: () => void;
}

/** A context for reads; a write adds its own methods. */
export function contextOf(
  { clock, random, secrets, settings, memory }: WriteOptions,
  db: Db,
  caller: Caller,
  warnings = new Warnings(false),
): Ctx {
  return {
    db,
    caller,
    account_id: caller.account_id,
    sender: undefined,
    now: seconds(clock),
    random,
    secrets,
    settings,
    memory,
    changes: new Changes(),
    warnings,
    names: new NameLocks(new LockedNames(db)),
    send: inReads,
    flush: inReads,
    afterCommit: inReads,
    transact: inReads,
  };
}

const inReads = () => {
  throw new Error("a read must not write");
};
