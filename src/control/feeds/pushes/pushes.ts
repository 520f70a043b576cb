/** Takes pushes of values to feeds, and has them stored: those of most accounts together, many values of one account apart. */
import { setTimeout as delay } from "node:timers/promises";
import { Slots } from "../../../lib/fair/slots.ts";
import { invalid, missing, Problem, unavailable } from "../../../lib/problem.ts";
import { announceLive } from "../../../storage/outbox/live.ts";
import type { Delivery } from "../types/sourcetype.ts";
import { idKind, type KnownSource, KnownSources, type PushTarget } from "./known.ts";
import { Lane, type LaneOptions, type Turn } from "./lane.ts";
import { feedsOf, mostOctets, octetsOf } from "./merging.ts";
import { isRefusal, type RecentPushes } from "./recent.ts";

/** Attempts of a push whose source changes between its lookup and the write. */
const mostAttempts = 5;
/** Pushes of an account that together write more than this are stored apart from those of others. */
export const mostShared = { feeds: 200, octets: 256 * 1024 };

/** The feeds and octets in those pushes of an account that are not stored yet. */
interface Load {
  feeds: number;
  octets: number;
  /** Set while they do not share transactions with those of other accounts. */
  lane?: Lane;
}

export interface PushesOptions extends Omit<LaneOptions, "known"> {
  readonly recent: RecentPushes;
}

export class Pushes {
  /** The last pushes with their results. */
  readonly recent: RecentPushes;
  readonly #options: LaneOptions;
  readonly #known: KnownSources;
  readonly #shared: Lane;
  /** By account. */
  readonly #loads = new Map<string, Load>();
  /** Lanes of single accounts take turns, so that they use one connection to the store. */
  readonly #turns = new Slots({ all: 1, own: 1, waiting: { all: Number.POSITIVE_INFINITY } });
  /** The last transaction of these lanes: its milliseconds, and the transactions of other accounts until then. */
  #last = { took: 0, shared: 0 };

  constructor({ recent, ...options }: PushesOptions) {
    this.recent = recent;
    this.#known = new KnownSources(options.store.db);
    this.#options = { ...options, known: this.#known };
    this.#shared = new Lane(this.#options);
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
    void announceLive(this.#options.store.db);
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
      if (isRefusal(error)) this.recent.note({ source, deliveries: [], merge, refusal: error });
      throw error;
    }
    if (deliveries.every((delivery) => delivery.feeds.length === 0)) {
      if (fresh) this.recent.note({ source, deliveries, merge, refusal: undefined });
      return fresh;
    }
    try {
      if (octetsOf(deliveries) > mostOctets) throw tooLarge();
      const isStored = await this.#store(source, deliveries, merge);
      if (isStored) this.recent.note({ source, deliveries, merge, refusal: undefined });
      return isStored;
    } catch (error) {
      if (isRefusal(error)) this.recent.note({ source, deliveries, merge, refusal: error });
      throw error;
    }
  }

  /** Resolves with false when the source has changed since it was found. */
  async #store(source: KnownSource, deliveries: readonly Delivery[], merge: boolean | undefined): Promise<boolean> {
    const { account_id } = source;
    const load = this.#loads.get(account_id) ?? { feeds: 0, octets: 0 };
    const feeds = feedsOf(deliveries);
    const octets = octetsOf(deliveries);
    load.feeds += feeds;
    load.octets += octets;
    this.#loads.set(account_id, load);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    if (!load.lane && (load.feeds > mostShared.feeds || load.octets > mostShared.octets)) {
      load.lane = new Lane(this.#options, () => this.#turn(account_id));
      load.lane.add(this.#shared.takeBack(account_id));
    }
    (load.lane ?? this.#shared).add([{ source, deliveries, merge, resolve, reject }]);
    try {
      return await promise;
    } finally {
      load.feeds -= feeds;
      load.octets -= octets;
      if (load.feeds === 0) this.#loads.delete(account_id);
    }
  }

  /** Waits for the turn of an account's own lane. While others push, all such lanes together rest for as long as they work. */
  async #turn(account_id: string): Promise<Turn> {
    const slot = await this.#turns.wait(account_id);
    if (this.#shared.transactions > this.#last.shared) await delay(this.#last.took);
    const began = performance.now();
    return {
      end: () => {
        this.#last = { took: performance.now() - began, shared: this.#shared.transactions };
        slot?.leave();
      },
    };
  }
}

const tooLarge = () =>
  invalid(`a push has at most ${mostOctets} octets of JSON, with each table counted once per feed that it reaches`, {
    limit: mostOctets,
  });
