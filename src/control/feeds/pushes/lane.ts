/** A queue of pushes, which are stored in their order: those that arrive during one transaction share the next one. */
import type { Clock } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import { sendLast } from "../../../storage/connection/transaction.ts";
import type { Store } from "../../../storage/db.ts";
import { announceLive, publishLive } from "../../../storage/outbox/live.ts";
import { cellsFull } from "../model/cells-store.ts";
import type { Delivery } from "../types/sourcetype.ts";
import type { DeferredFeeds } from "./deferred.ts";
import { insertNote } from "./deferred-store.ts";
import type { KnownSource, KnownSources } from "./known.ts";
import { type Fresh, feedsOf, merged, mostOctets, octetsOf, Unmergeable, whole } from "./merging.ts";
import { type PushedTable, type Stored, storePushed } from "./push-store.ts";

/** Feeds in one transaction, unless a single push reaches more. */
const mostFeeds = 2000;

export interface Push {
  readonly source: KnownSource;
  readonly deliveries: readonly Delivery[];
  /** Whether the tables are merged into the feeds' tables; when left out, each feed decides. */
  readonly merge: boolean | undefined;
  /** Set when the pushes of the account together would take too many cells: each of them is then stored apart from the others. */
  isApart?: boolean;
  /** Set when the push is stored without others, because it may be the one that cannot be merged. */
  isAlone?: boolean;
  /** Called with true when the values are stored, with false when the source has changed since it was found. */
  readonly resolve: (stored: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export interface LaneOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly deferred: Pick<DeferredFeeds, "isQuiet" | "published" | "add">;
  readonly known: Pick<KnownSources, "isLatest">;
}

/** The right to one transaction. */
export interface Turn {
  end(): void;
}

export class Lane {
  /** Transactions since the start. */
  transactions = 0;
  readonly #options: LaneOptions;
  readonly #turn: (() => Promise<Turn>) | undefined;
  #waiting: Push[] = [];
  #underWay = false;

  /**
   * `turn` is for a lane with the many values of one account: it waits for its turn before each transaction, and all values
   * are published later, in small messages.
   */
  constructor(options: LaneOptions, turn?: () => Promise<Turn>) {
    this.#options = options;
    this.#turn = turn;
  }

  add(pushes: readonly Push[]): void {
    this.#waiting.push(...pushes);
    if (!this.#underWay) void this.#work();
  }

  /** Removes and returns the pushes of an account that still wait. */
  takeBack(account_id: string): readonly Push[] {
    const isTheirs = ({ source }: Push) => source.account_id === account_id;
    const theirs = this.#waiting.filter(isTheirs);
    this.#waiting = this.#waiting.filter((push) => !isTheirs(push));
    return theirs;
  }

  async #work(): Promise<void> {
    this.#underWay = true;
    // pushes that arrive in this turn of the event loop share a transaction
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const turn = await this.#turn?.();
      this.transactions++;
      const members = this.#take();
      try {
        this.#settle(members, await this.#write(members));
      } catch (error) {
        this.#fail(members, error);
      } finally {
        turn?.end();
      }
    }
    this.#underWay = false;
  }

  /** When tables cannot be merged, the pushes that may be to blame are tried again alone, and the others without them. */
  #fail(members: readonly Push[], error: unknown): void {
    if (!(error instanceof Unmergeable) || members.length === 1) {
      const reason = error instanceof Unmergeable ? error.cause : error;
      for (const { reject } of members) reject(reason);
      return;
    }
    const { feed_id } = error;
    const suspects = members.filter((member) =>
      feed_id === undefined ? isMerging(member) : member.deliveries.some(({ feeds }) => feeds.includes(feed_id)),
    );
    for (const member of suspects) member.isAlone = true;
    this.#waiting.unshift(...members.filter((member) => !member.isAlone), ...suspects);
  }

  /** Takes pushes from the front of the queue. A push whose source has a newer version in the cache must be tried again. */
  #take(): Push[] {
    const members: Push[] = [];
    const left: Push[] = [];
    const apart = new Set(this.#waiting.flatMap(({ isApart, source }) => (isApart ? source.account_id : [])));
    const taken = new Set<string>();
    let feeds = 0;
    let octets = 0;
    for (const [at, member] of this.#waiting.entries()) {
      const { source, deliveries, isAlone } = member;
      if (isAlone && members.length > 0) {
        left.push(...this.#waiting.slice(at));
        break;
      }
      if (apart.has(source.account_id) && taken.has(source.account_id)) {
        left.push(member);
        continue;
      }
      feeds += feedsOf(deliveries);
      octets += octetsOf(deliveries);
      if (members.length > 0 && (feeds > mostFeeds || octets > mostOctets)) {
        left.push(...this.#waiting.slice(at));
        break;
      }
      if (!this.#options.known.isLatest(source)) {
        member.resolve(false);
        continue;
      }
      taken.add(source.account_id);
      members.push(member);
      if (isAlone) {
        left.push(...this.#waiting.slice(at + 1));
        break;
      }
    }
    this.#waiting = left;
    return members;
  }

  async #write(members: readonly Push[]): Promise<Stored> {
    const values = lastOf(members);
    return values.length === 0 ? nothingStored : await this.#commit(values);
  }

  #settle(members: readonly Push[], { feeds: stored, full }: Stored): void {
    const again: Push[] = [];
    for (const member of members) {
      const { account_id } = member.source;
      if (!full.has(account_id)) {
        member.resolve(member.deliveries.every(({ feeds }) => feeds.every((id) => stored.has(id))));
      } else if (members.some((other) => other !== member && other.source.account_id === account_id)) {
        member.isApart = true;
        again.push(member);
      } else member.reject(cellsFull(account_id));
    }
    this.#waiting.unshift(...again);
  }

  /** Stores the values. Quiet feeds are published at once, the others later. */
  async #commit(values: readonly Fresh[]): Promise<Stored> {
    const { store, clock, deferred } = this.#options;
    const { now = [], later = [] } = Object.groupBy(values, ({ source: { account_id }, feed_id }) =>
      this.#turn === undefined && deferred.isQuiet({ account_id, feed_id }) ? "now" : "later",
    );
    const atOnce = new Set(now.map(({ feed_id }) => feed_id));
    const notes = later.map(({ source: { account_id }, feed_id, table }) => {
      return { account_id, feed_id, octets: table.text.length };
    });
    const note = newId();
    const [stored, published, noted] = await store.transaction(async (tx) => {
      const result = await storePushed(tx, tablesOf(await whole(tx, values)), clock.now());
      const isStored = ({ feed_id }: { feed_id: string }) => result.feeds.has(feed_id);
      const news = values
        .filter((value) => atOnce.has(value.feed_id) && isStored(value))
        .map(({ source: { account_id }, feed_id }) => ({ account_id, feed_id }));
      const waiting = notes.filter(isStored);
      if (waiting.length > 0) sendLast(tx, insertNote(note, waiting));
      publishLive(tx, news);
      return [result, news, waiting] as const;
    });
    if (noted.length > 0) deferred.add(note, noted);
    if (published.length > 0) {
      deferred.published(published);
      void announceLive(store.db);
    }
    return stored;
  }
}

const isMerging = ({ source, deliveries, merge }: Push) =>
  merge ?? deliveries.some(({ feeds }) => feeds.some((id) => source.feeds.merges(id)));

const nothingStored: Stored = { feeds: new Set(), full: new Set() };

/** Returns the last values of each feed in the order of feed ids, which are unique across accounts. */
function lastOf(members: readonly Push[]): Fresh[] {
  const last = new Map<string, Fresh>();
  for (const { source, deliveries, merge } of members) {
    for (const { feeds, table } of deliveries) {
      for (const feed_id of feeds) {
        const next = { source, feed_id, table, merges: merge ?? source.feeds.merges(feed_id) };
        const before = next.merges ? last.get(feed_id) : undefined;
        last.set(
          feed_id,
          before ? { ...next, table: merged(feed_id, before.table, table), merges: before.merges } : next,
        );
      }
    }
  }
  return [...last.values()].sort((a, b) => (a.feed_id < b.feed_id ? -1 : 1));
}

/** Combines the feeds of a source that receive the same table. */
const tablesOf = (values: readonly Fresh[]): PushedTable[] =>
  Array.from(Map.groupBy(values, ({ table }) => table).values(), (same) => {
    const [{ source, table }] = same as [Fresh];
    const feeds = same.map(({ feed_id }) => feed_id);
    return { account_id: source.account_id, source_id: source.id, version: source.version, feeds, text: table.text };
  });
