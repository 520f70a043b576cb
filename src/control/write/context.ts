/** What a handler is given: the store, who asks, what time it is, and where to note what it changed. */
import type { Locate } from "../../answer/filters/contract/client.ts";
import type { Sender } from "../../http/route/service.ts";
import type { Egress } from "../../lib/address/egress.ts";
import { type Clock, seconds } from "../../lib/clock.ts";
import type { Traffic } from "../../lib/fair/pace.ts";
import { newId } from "../../lib/ids.ts";
import type { Random } from "../../lib/random.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { Store } from "../../storage/db.ts";
import type { ZoneDifference } from "../../storage/outbox/changes.ts";
import type { Change } from "../../sync/change.ts";
import type { Caller } from "../access/caller.ts";
import type { Keys } from "../access/keys.ts";
import type { Edition } from "../access/rights.ts";
import type { Reports } from "../activity/reports/reports.ts";
import type { Pushes } from "../feeds/pushes/pushes.ts";
import type { Db } from "../kit/store.ts";
import type { Postman } from "../people/mail/postman.ts";
import type { Afterwards } from "../people/signin/afterwards.ts";
import type { Entrance } from "../people/signin/entrance.ts";
import type { Sessions } from "../people/signin/sessions.ts";
import type { Imports } from "../zonefiles/jobs.ts";
import type { ForeignNames } from "../zones/foreign.ts";
import { type Difference, merged } from "../zones/history/entry.ts";
import type { Network } from "../zones/model/zone/networks.ts";
import type { Deletions } from "../zones/records/guard.ts";
import { LockedNames, NameLocks } from "./locks.ts";
import type { RowKind } from "./rows.ts";

/** What the operator decided. */
export interface Settings {
  readonly edition: Edition;
  readonly networks: readonly Network[];
  /** Public suffixes that may be zones all the same. */
  readonly allowSuffix: readonly string[];
  /** Answers in one record. */
  readonly maxAnswers: number;
  readonly rate: { readonly limit: number; readonly period: number };
  /** Seconds for which a deleted zone can be brought back. */
  readonly keepDeleted: number;
  /** The share of a zone's records, or of an account's zones, 0 to 1, above which deletions must be confirmed. */
  readonly deletionGuard: number;
  /** Where zones may be transferred from, and whom we may notify. */
  readonly egress: Egress;
  /** Where people reach the service: what links in mails begin with, and whose pages write with sessions; without a slash at the end. */
  readonly publicUrl: string;
}

export interface Ctx {
  readonly db: Db;
  readonly caller: Caller;
  readonly account_id: string;
  /** Where the caller is, in canonical spelling; undefined in reads, which no address decides, unless they transact. */
  readonly address: string | undefined;
  /** Who sent the request; undefined in a transaction. */
  readonly sender: Sender | undefined;
  /** Unix seconds. */
  readonly now: number;
  /** For what seconds are too coarse for. */
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: Secrets;
  readonly settings: Settings;
  readonly changes: Changes;
  /** Locks names of zones until the transaction ends, and reads what is there; only in writes. */
  readonly names: NameLocks;
  /** Gathers a row: it is sent with the others when the handler is through, in no order. Only in writes. */
  send<Row>(kind: RowKind<Row>, row: Row): void;
  /** Sends what is gathered now, for a handler that reads it again; not for one whose write may be shared. */
  flush(): void;
  /** Runs once the transaction is committed. */
  afterCommit(act: () => void): void;
  /** Makes what changed of a key, a user or a session count from the next request on. */
  forgetKeys(): void;
  /** Sends mails, once they are committed. */
  readonly postman: Pick<Postman, "wake">;
  /** Users who are signed in. */
  readonly sessions: Sessions;
  /** To looks at passwords, of this process. */
  readonly entrance: Entrance;
  /** What is done for a known user once the request is answered. */
  readonly afterwards: Pick<Afterwards, "add">;
  /** Where clients of DNS are, by the operator's geo files. */
  readonly locate: Locate;
  /** Takes pushed values to the store. */
  readonly pushes: Pushes;
  /** What was deleted lately. */
  readonly deletions: Deletions;
  /** Names of zones that were asked for and are other accounts'. */
  readonly foreignNames: ForeignNames;
  /** Imports of zone files, which go on one after the other. */
  readonly imports: Imports;
  /** Reports of the activity log. */
  readonly reports: Reports;
  /**
   * A transaction of its own, with the activity entry and the change of a write, for a handler whose route says
   * `ownTransaction`. The step may run again when the transaction lost against another. `by` is who does it, where that
   * is only found out by the handler.
   */
  transact<T>(log: readonly [resource: string, action: string], step: Step<T>, by?: Caller): Promise<Transacted<T>>;
}

/** What a transaction does: the result, and what the activity entry keeps of it, with what stood there before. */
export type Step<T> = (
  ctx: Ctx,
) => Promise<{ readonly result: T; readonly resource: unknown; readonly before?: object | undefined }>;

export interface Transacted<T> {
  readonly result: T;
  /** Id of the change. */
  readonly change: string | undefined;
}

/** What one transaction changes: the steps for the edges, and the difference of each zone for its history. */
export class Changes {
  readonly steps: Change[] = [];
  #id: string | undefined;
  readonly #zones = new Map<string, Difference[]>();
  readonly #restored = new Map<string, number>();
  readonly #touched = new Set<string>();
  #given: Record<string, number | null> | undefined;

  /** The difference is what the zone's history keeps; a zone without one still gets a new serial. */
  add(zone_id: string, steps: readonly Change[], difference: Difference = {}): void {
    for (const step of steps) this.steps.push(step);
    const differences = this.#zones.get(zone_id) ?? [];
    if (difference.removed ?? difference.added) differences.push(difference);
    this.#zones.set(zone_id, differences);
  }

  /** The zone answers differently without any change of its own: it gets a new serial, and so a version. */
  touch(zone_id: string): void {
    this.#touched.add(zone_id);
    this.add(zone_id, []);
  }

  /** Notes that the zone is brought back to what it was with this serial. */
  restore(zone_id: string, serial: number): void {
    this.#restored.set(zone_id, serial);
  }

  /** Of the change that all of it will be. */
  get id(): string {
    this.#id ??= newId();
    return this.#id;
  }

  /** Makes the zone's next serial one that another server gave; null for the one that it has. */
  giveSerial(zone_id: string, serial: number | null): void {
    this.#given = { ...this.#given, [zone_id]: serial };
  }

  get given() {
    return this.#given;
  }

  get zoneIds(): string[] {
    return [...this.#zones.keys()];
  }

  /** What each zone comes to, by its id. */
  get differences(): [zone_id: string, differences: Difference[]][] {
    return [...this.#zones].map(([zone_id, differences]) => [zone_id, merged(differences)]);
  }

  get history(): ZoneDifference[] {
    return this.differences.flatMap(([zone_id, differences]) => {
      const removed = differences.flatMap((difference) => difference.removed ?? []);
      const added = differences.flatMap((difference) => difference.added ?? []);
      const restored = this.#restored.get(zone_id);
      if (differences.length === 0 && !this.#touched.has(zone_id)) return [];
      return { zone_id, removed, added, ...(restored === undefined ? {} : { restored }) };
    });
  }
}

/** What the service is made of. */
export interface ServiceOptions {
  readonly store: Store;
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly entrance: Entrance;
  readonly afterwards: Pick<Afterwards, "add">;
  readonly pushes: Pushes;
  readonly imports: Imports;
  readonly reports: Reports;
  readonly deletions: Deletions;
  /** Names of zones that were asked for and are other accounts'. */
  readonly foreignNames: ForeignNames;
  readonly postman: Pick<Postman, "wake">;
  readonly traffic: Traffic;
  readonly locate: Locate;
  readonly secrets: Secrets;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  /** Called after each commit that left a change. */
  readonly wake: () => void;
}

/** A context for reads, which a write completes. */
export function contextOf(options: ServiceOptions, db: Db, caller: Caller): Ctx {
  const {
    clock,
    random,
    secrets,
    settings,
    keys,
    sessions,
    entrance,
    afterwards,
    pushes,
    imports,
    reports,
    deletions,
    foreignNames,
    postman,
    locate,
  } = options;
  return {
    db,
    caller,
    account_id: caller.account_id,
    address: undefined,
    sender: undefined,
    now: seconds(clock),
    clock,
    random,
    secrets,
    settings,
    changes: new Changes(),
    names: new NameLocks(new LockedNames(db)),
    send: inReads,
    flush: inReads,
    afterCommit: inReads,
    forgetKeys() {
      keys.forget();
      sessions.forget();
    },
    sessions,
    entrance,
    afterwards,
    postman,
    locate,
    pushes,
    imports,
    reports,
    deletions,
    foreignNames,
    transact: inReads,
  };
}

const inReads = () => {
  throw new Error("a read changes nothing");
};
