/**
 * Keeps the list of what needs the attention of each account: soon after a write, for what was written, and in slow rounds
 * over all accounts for what happens by itself. Accounts take turns, and all of this takes a small share of the time.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ChangedPart } from "../../lib/fair/changed.ts";
import type { Traffic } from "../../lib/fair/yield.ts";
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import { type LeasedLoop, leasedLoop } from "../../storage/leased-loop.ts";
import type { WriteOptions } from "../write/context.ts";
import { Checks } from "./checks.ts";
import { removeStrays } from "./store.ts";
import { accountAfter, forgetStrays, zonesAfter, zonesWithIds } from "./zone-store.ts";

export interface AttentionOptions {
  readonly service: WriteOptions;
  readonly traffic: Traffic;
  readonly log: Log;
  readonly pace?: Pace | undefined;
}

export interface Pace {
  /** Milliseconds from a write until its account is looked at. */
  readonly change: number;
  /** Milliseconds between the beginnings of two rounds. */
  readonly round: number;
  /** The share of the time that each of the two kinds of work takes. */
  readonly share: number;
}

const usualPace: Pace = { change: 5000, round: 60_000, share: 1 / 20 };
/** Milliseconds of work without a rest. */
const restAfter = 20;
/** Changed zones of an account in one turn, while others wait. */
const changedAtOnce = 10;
const zonesAtOnce = 200;
/** Zones of an account that are looked through for mistakes in one round. */
const lintedInRound = 50;
const firstAfter = 10_000;
const leaseFor = 60_000;
const renewAfter = 20_000;

export class Attention {
  readonly #options: AttentionOptions;
  readonly #changes: Loop;
  readonly #rounds: LeasedLoop;

  constructor(options: AttentionOptions) {
    this.#options = options;
    const { service, log, pace = usualPace } = options;
    const { store } = service;
    const complain = (error: unknown) =>
      log.warn({ reason: String(error) }, "it could not be looked for what needs attention; trying again");
    this.#changes = loop({
      turn: (signal) => this.#lookAtChanges(signal),
      every: pace.change,
      first: pace.change,
      complain,
    });
    this.#rounds = leasedLoop({
      db: store.db,
      holder: store.holder,
      name: "attention",
      leaseFor,
      renewAfter,
      turn: (_, signal) => this.#round(signal),
      every: pace.round,
      first: Math.min(pace.round, firstAfter),
      complain,
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#changes.close(), this.#rounds.close()]);
  }

  /** Looks at what was written. Returns the milliseconds until the next turn. */
  async #lookAtChanges(signal: AbortSignal): Promise<number> {
    const { service, pace = usualPace } = this.#options;
    const { changed } = service.memory;
    const work = new SmallShare(pace.share, signal);
    const until = performance.now() + pace.change;
    const later: [account_id: string, ids: readonly string[]][] = [];
    // accounts that write all the time would make it endless
    while (!signal.aborted && performance.now() < until) {
      const part = changed.take(changedAtOnce);
      if (!part) break;
      const { account_id } = part;
      // what fails is left for the next round
      const waiting = await this.#lookAtPart(part, work).catch(this.#failed(account_id, signal));
      if (waiting && waiting.length > 0) later.push([account_id, waiting]);
    }
    const isBusy = !changed.isEmpty;
    for (const [account_id, ids] of later) changed.postpone(account_id, ids);
    return isBusy ? 0 : pace.change;
  }

  /** Returns the zones that are to be looked through later. */
  async #lookAtPart({ account_id, ids, isFirst }: ChangedPart, work: SmallShare): Promise<readonly string[]> {
    const checks = this.#checks(work);
    if (isFirst) await this.#lookAtAccount(account_id, checks);
    const zones = await zonesWithIds(this.#options.service.store.readsOf(account_id), account_id, ids);
    const there = new Set(zones.map(({ id }) => id));
    const gone = ids.filter((id) => !there.has(id));
    await checks.forget(account_id, gone);
    const later = await checks.zones(account_id, zones, changedAtOnce);
    await work.rest();
    return later;
  }

  /** Looks at all accounts. Returns the milliseconds until the next round. */
  async #round(signal: AbortSignal): Promise<number> {
    const { service, pace = usualPace } = this.#options;
    const { db } = service.store;
    const began = performance.now();
    const work = new SmallShare(pace.share, signal);
    for (let id = await accountAfter(db, ""); id !== undefined && !signal.aborted; id = await accountAfter(db, id)) {
      await this.#lookAt(id, work, signal).catch(this.#failed(id, signal));
    }
    return Math.max(0, began + pace.round - performance.now());
  }

  async #lookAt(account_id: string, work: SmallShare, signal: AbortSignal): Promise<void> {
    const { store } = this.#options.service;
    const checks = this.#checks(work);
    await this.#lookAtAccount(account_id, checks);
    await removeStrays(store.db, account_id);
    await work.rest();
    let left = lintedInRound;
    for (let after = ""; !signal.aborted; ) {
      const zones = await zonesAfter(store.readsOf(account_id), account_id, after, zonesAtOnce);
      const due = checks.countDue(zones);
      await checks.zones(account_id, zones, left);
      const isLast = zones.length < zonesAtOnce;
      await forgetStrays(store.db, account_id, after, isLast ? undefined : zones.at(-1)!.id);
      left = Math.max(0, left - due);
      await work.rest();
      if (isLast) return;
      after = zones.at(-1)!.id;
    }
  }

  async #lookAtAccount(account_id: string, checks: Checks): Promise<void> {
    await checks.account(account_id);
    await checks.limits(account_id);
  }

  #failed =
    (account_id: string, signal: AbortSignal) =>
    (error: unknown): undefined => {
      if (signal.aborted) return;
      this.#options.log.debug({ account_id, reason: String(error) }, "it could not be looked for what needs attention");
    };

  #checks(work: SmallShare): Checks {
    const { service, traffic } = this.#options;
    const pace = traffic.pace();
    return new Checks(service, async () => {
      await pace();
      await work.rest();
    });
  }
}

/** Rests between the steps of work, so that it takes a small share of the time. */
class SmallShare {
  readonly #share: number;
  readonly #signal: AbortSignal;
  #began = performance.now();

  constructor(share: number, signal: AbortSignal) {
    this.#share = share;
    this.#signal = signal;
  }

  async rest(): Promise<void> {
    const took = performance.now() - this.#began;
    if (took < restAfter) return;
    // an end of the process ends the rest, and the work after it
    await delay(took / this.#share - took, undefined, { signal: this.#signal });
    this.#began = performance.now();
  }
}
