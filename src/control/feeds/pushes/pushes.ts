/** Writes pushed values to the store: values that arrive during one transaction share the next one. */
import type { Clock } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import { invalid, missing, Problem, unavailable } from "../../../lib/problem.ts";
import { sendLast } from "../../../storage/connection/transaction.ts";
import type { Store } from "../../../storage/db.ts";
import { announceLive, publishLive } from "../../../storage/outbox/live.ts";
import { cellsFull } from "../model/cells-store.ts";
import type { Delivery } from "../types/sourcetype.ts";
import type { DeferredFeeds } from "./deferred.ts";
import { insertNote } from "./deferred-store.ts";
import { idKind, type KnownSource, KnownSources, type PushTarget } from "./known.ts";
import { type Fresh, merged, mostOctets, Unmergeable, whole } from "./merging.ts";
import { type PushedTable, type Stored, storePushed } from "./push-store.ts";

/** Feeds in one transaction, unless a single push reaches more. */
const mostFeeds = 2000;
/** Attempts of a push whose source changes between its lookup and the write. */
const mostAttempts = 5;

interface Waiting {
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

/** Publishes later the feeds that are not published at once. */
type Deferred = Pick<DeferredFeeds, "isQuiet" | "published" | "add">;

export class Pushes {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #deferred: Deferred;
  readonly #known: KnownSources;
  #waiting: Waiting[] = [];
  #underWay = false;

  constructor(store: Store, clock: Clock, deferred: Deferred) {
    this.#store = store;
    this.#clock = clock;
    this.#deferred = deferred;
    this.#known = new KnownSources(store.db);
  }

  /**
   * Pushes a payload to the feeds of a source, or to one feed, by id, and returns when it is durable. Throws for an unknown
   * id or an invalid payload; nothing is stored then. With `merge`, keys that are not in the payload keep their values;
   * when it is undefined, each feed decides.
   */
  async push(
    account_id: string,
    id: string,
    payload: Readonly<Record<string, unknown>>,
    merge?: boolean,
  ): Promise<void> {
    let fresh = false;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const target = await this.#known.find(account_id, id, fresh);
      if (!target && fresh) throw missing(`${idKind(id)} not found`, { id });
      if (target && (await this.#deliver(target, payload, merge))) return;
      fresh = true;
    }
    throw unavailable("the source is being changed; try again");
  }

  /** Notifies the followers of live values that a committed transaction has added some. */
  announce(): void {
    void announceLive(this.#store.db);
  }

  /** Returns false when the payload must be tried again with a fresh lookup of the source. */
  async #deliver(
    { source, feeds, fresh }: PushTarget,
    payload: Readonly<Record<string, unknown>>,
    merge: boolean | undefined,
  ): Promise<boolean> {
    let deliveries: readonly Delivery[];
    try {
      deliveries = source.type.receive(payload, feeds);
    } catch (error) {
      if (!fresh && error instanceof Problem) return false;
      throw error;
    }
    if (deliveries.every((delivery) => delivery.feeds.length === 0)) return fresh;
    if (octetsOf(deliveries) > mostOctets) {
      throw invalid(
        `a push has at most ${mostOctets} octets of JSON, with each table counted once per feed that it reaches`,
        {
          limit: mostOctets,
        },
      );
    }
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ source, deliveries, merge, resolve, reject });
      if (!this.#underWay) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#underWay = true;
    // pushes that arrive in this turn of the event loop share a transaction
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const members = this.#take();
      try {
        this.#settle(members, await this.#write(members));
      } catch (error) {
        this.#fail(members, error);
      }
    }
    this.#underWay = false;
  }

  /** When tables cannot be merged, the pushes that may be to blame are tried again alone, and the others without them. */
  #fail(members: readonly Waiting[], error: unknown): void {
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
  #take(): Waiting[] {
    const members: Waiting[] = [];
    const left: Waiting[] = [];
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
      feeds += deliveries.reduce((sum, delivery) => sum + delivery.feeds.length, 0);
      octets += octetsOf(deliveries);
      if (members.length > 0 && (feeds > mostFeeds || octets > mostOctets)) {
        left.push(...this.#waiting.slice(at));
        break;
      }
      if (!this.#known.isLatest(source)) {
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

  async #write(members: readonly Waiting[]): Promise<Stored> {
    const values = lastOf(members);
    return values.length === 0 ? nothingStored : await this.#commit(values);
  }

  #settle(members: readonly Waiting[], { feeds: stored, full }: Stored): void {
    const again: Waiting[] = [];
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
    const { now = [], later = [] } = Object.groupBy(values, ({ feed_id }) =>
      this.#deferred.isQuiet(feed_id) ? "now" : "later",
    );
    const atOnce = new Set(now.map(({ feed_id }) => feed_id));
    const notes = later.map(({ source: { account_id }, feed_id, table }) => {
      return { account_id, feed_id, octets: table.text.length };
    });
    const note = newId();
    const [stored, published, deferred] = await this.#store.transaction(async (tx) => {
      const result = await storePushed(tx, tablesOf(await whole(tx, values)), this.#clock.now());
      const isStored = ({ feed_id }: { feed_id: string }) => result.feeds.has(feed_id);
      const news = values
        .filter((value) => atOnce.has(value.feed_id) && isStored(value))
        .map(({ source: { account_id }, feed_id }) => ({ account_id, feed_id }));
      const waiting = notes.filter(isStored);
      if (waiting.length > 0) sendLast(tx, insertNote(note, waiting));
      publishLive(tx, news);
      return [result, news, waiting] as const;
    });
    if (deferred.length > 0) this.#deferred.add(note, deferred);
    if (published.length > 0) {
      this.#deferred.published(published);
      this.announce();
    }
    return stored;
  }
}

const isMerging = ({ source, deliveries, merge }: Waiting) =>
  merge ?? deliveries.some(({ feeds }) => feeds.some((id) => source.feeds.merges(id)));

const nothingStored: Stored = { feeds: new Set(), full: new Set() };

const octetsOf = (deliveries: readonly Delivery[]) =>
  deliveries.reduce((sum, { feeds, table }) => sum + feeds.length * table.text.length, 0);

/** Returns the last values of each feed in the order of feed ids, which are unique across accounts. */
function lastOf(members: readonly Waiting[]): Fresh[] {
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
