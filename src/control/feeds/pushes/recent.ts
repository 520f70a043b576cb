/**
 * The last pushes of each source and feed, with their results. They are noted in memory and stored some seconds later, in a
 * small share of the time: a push does not wait for it, and when there are very many, some are left out.
 */
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { type Loop, loop } from "../../../lib/loop.ts";
import { Problem } from "../../../lib/problem.ts";
import type { Store } from "../../../storage/db.ts";
import type { PushNote } from "../../../storage/tables/feeds.ts";
import type { Delivery, Table } from "../types/sourcetype.ts";
import type { KnownSource } from "./known.ts";
import { composeNote, NotedPushes, rowOf } from "./noted.ts";
import { addPushes, findPushes, mostKept, type PushPlace } from "./recent-store.ts";

/** Octets of a pushed table, and characters of a message, that a note has. */
export const mostNoteOctets = 512;
const mostMessage = 300;
/** Milliseconds from a note until it is stored, and until the next try after a failure. */
const storedAfter = 5000;
const idle = 60 * 60_000;
/** Sources and feeds that are stored at once, and those of one account. */
const atOnce = 500;
const mostOfOne = 200;
/** Storing takes at most this share of the time. */
const share = 1 / 30;

export interface RecentOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is known of a push when it is over. */
export interface PushOutcome {
  readonly source: KnownSource;
  readonly deliveries: readonly Delivery[];
  readonly merge: boolean | undefined;
  /** Why nothing was stored; undefined when the values are stored. */
  readonly refusal: Problem | undefined;
}

export class RecentPushes {
  readonly #options: RecentOptions;
  readonly #noted = new NotedPushes();
  /** Those that are being stored: the store may not show them yet. */
  #underWay: ReturnType<NotedPushes["take"]> = [];
  readonly #loop: Loop;

  constructor(options: RecentOptions) {
    this.#options = options;
    this.#loop = loop({
      turn: () => this.#turn(),
      every: storedAfter,
      first: idle,
      gather: storedAfter,
      complain: (error) =>
        options.log.warn({ reason: String(error) }, "the last pushes cannot be stored; trying again"),
    });
  }

  /** Notes a push for its source, and for each of the feeds that it reached. */
  note({ source, deliveries, merge, refusal }: PushOutcome): void {
    const { account_id, id: source_id } = source;
    const at = this.#options.clock.now();
    const head = refusal
      ? ({ at, result: "refused", message: refusal.message.slice(0, mostMessage).toWellFormed() } as const)
      : ({ at, result: "stored" } as const);
    // later notes go with the first ones
    const isFirst = this.#noted.isEmpty;
    let [feeds, merged, octets, tables] = [0, 0, 0, 0];
    let text: string | undefined;
    for (const { feeds: reached, table } of deliveries) {
      if (reached.length === 0) continue;
      const size = table.text.length;
      text = textOf(table);
      for (const feed of reached) {
        const merges = merge ?? source.feeds.merges(feed);
        if (merges) merged++;
        this.#noted.add(account_id, source_id, feed, { ...head, merged: merges, octets: size, text });
      }
      feeds += reached.length;
      octets += reached.length * size;
      tables++;
    }
    const sent = { merged: feeds > 0 && merged === feeds, octets, text: tables === 1 ? text : undefined };
    this.#noted.add(account_id, source_id, source_id, { ...head, feeds, ...sent });
    if (isFirst) this.#loop.wake();
  }

  /** The last pushes of a source or feed, newest first. */
  async of(place: PushPlace): Promise<readonly PushNote[]> {
    const underWay = this.#underWay.find(({ account_id, id }) => account_id === place.account_id && id === place.id);
    const waiting = [...this.#noted.of(place), ...(underWay?.notes.toReversed() ?? [])];
    const stored = await findPushes(this.#options.store.readsOf(place.account_id), place);
    // notes may have been stored since
    const known = new Set(stored.map((note) => JSON.stringify(note)));
    const read = waiting.map((note): PushNote => JSON.parse(composeNote(note)));
    const news = read.filter((note) => !known.has(JSON.stringify(note)));
    return [...news, ...stored].slice(0, mostKept);
  }

  async close(): Promise<void> {
    await this.#loop.close();
    await this.#store().catch(() => {});
  }

  /** Returns the milliseconds until the next turn. */
  async #turn(): Promise<number> {
    const began = performance.now();
    await this.#store();
    return this.#noted.isEmpty ? idle : (performance.now() - began) / share;
  }

  async #store(): Promise<void> {
    this.#underWay = this.#noted.take(atOnce, mostOfOne);
    if (this.#underWay.length === 0) return;
    try {
      await this.#options.store.transaction((tx) => addPushes(tx, this.#underWay.map(rowOf)));
    } catch (error) {
      this.#noted.giveBack(this.#underWay);
      throw error;
    } finally {
      this.#underWay = [];
    }
  }
}

/** Whether an error means that a push was refused, and not that its outcome is unknown. */
export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && (error.status < 500 || error.status === 507);

/** The values of a small table as JSON; keys that were sent with null are in it, too. */
function textOf({ data, text, unset }: Table): string | undefined {
  if (text.length > mostNoteOctets) return undefined;
  if (unset.length === 0) return text;
  const sent = JSON.stringify({ ...data, ...Object.fromEntries(unset.map((key) => [key, null])) });
  return sent.length > mostNoteOctets ? undefined : sent;
}
