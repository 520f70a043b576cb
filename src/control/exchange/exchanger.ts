/** Exchanges zones with other servers, in one process at a time: transfers from primaries, and NOTIFY to secondaries. */
import { WireError } from "../../dns/wire/wire.ts";
import { seconds } from "../../lib/clock.ts";
import { MeasuredInput, usualFloor } from "../../lib/fair/measured-input.ts";
import type { Traffic } from "../../lib/fair/yield.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Listener } from "../../storage/connection/listen.ts";
import type { Lease } from "../../storage/lease.ts";
import { type LeasedLoop, leasedLoop } from "../../storage/leased-loop.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { changeChannel } from "../../sync/change.ts";
import { refreshChannel } from "../../sync/peers.ts";
import { limits } from "../kit/limits.ts";
import type { Ctx, WriteOptions } from "../write/context.ts";
import { writeAs } from "../write/system.ts";
import { listToFollow } from "../zones/catalogs/store.ts";
import { follow } from "./catalogs/follow.ts";
import { OutgoingNotices } from "./notify/notify.ts";
import { LongTask, ZoneTasks } from "./tasks.ts";
import { type MemoryLimits, TransferMemory } from "./transfers/memory.ts";
import type { PullLimits } from "./transfers/primary.ts";
import { type PullOptions, pull, type TransferAct } from "./transfers/pull.ts";
import { findNextDue, listDue } from "./transfers/store.ts";

export interface ExchangerOptions {
  readonly service: WriteOptions;
  readonly traffic: Traffic;
  readonly random: Random;
  readonly log: Log;
  readonly limits: Pick<PullLimits, "octets" | "message" | "transfer"> & Partial<PullLimits>;
  /** Zones whose servers are asked at the same time; at most half of them, rounded up, belong to one account. */
  readonly refreshes: number;
}

const megabyte = 1024 * 1024;

/** The limits of a transfer that the operator cannot set. */
export const fixedLimits = {
  records: limits.transferredRecords,
  held: { records: 50_000, octets: 16 * megabyte },
  least: usualFloor,
};

export const memory: MemoryLimits = {
  records: { all: 500_000, own: 250_000 },
  octets: { all: 128 * megabyte, own: 64 * megabyte },
  large: { all: 3, own: 2, most: 6 },
};

const leaseName = "transfers";
const leaseFor = 10_000;
const renewAfter = 3000;
/** Milliseconds for which changes are gathered before a turn, so that edges have them before secondaries ask. */
const gatherFor = 20;
/** The most milliseconds between two turns: a turn renews the lease. */
const turnEvery = 3000;
/** The same if no other process wants the lease: changes and notices are reported, and the next due time is known. */
const turnEveryAlone = 30_000;
/** The fewest milliseconds between two readings of the due times. */
const dueReadEvery = 1000;
/** The hard maximum of simultaneous refreshes, as a multiple of `refreshes`. */
export const mostRefreshes = 3;
/** Limits on catalogs followed at the same time. */
export const catalogsFollowed = { all: 4, own: 2, most: 8 };
/** Milliseconds after which following a catalog can lose its slot to another account. */
export const followedFor = 60_000;
/** Due catalogs listed by one query. */
const catalogsAtOnce = 8;
/** The time limit of the transaction that writes a zone, in milliseconds. */
const patience = 600_000;

export class ZoneExchanger {
  readonly #options: ExchangerOptions;
  readonly #closing = new AbortController();
  readonly #limits: PullLimits;
  readonly #memory = new TransferMemory(memory);
  /** Due zones listed by one query: as many as there are slots. */
  readonly #dueAtOnce: number;
  readonly #refreshes: ZoneTasks;
  readonly #catalogs: ZoneTasks;
  readonly #loop: LeasedLoop;
  #listener: Listener | undefined;
  #notices: OutgoingNotices | undefined;
  #dueReadAt = Number.NEGATIVE_INFINITY;

  constructor(options: ExchangerOptions) {
    this.#options = options;
    this.#limits = { ...fixedLimits, ...options.limits };
    const { log, service, refreshes } = options;
    this.#dueAtOnce = refreshes;
    const wake = () => this.#loop.wake();
    this.#refreshes = new ZoneTasks(
      { all: refreshes, own: Math.ceil(refreshes / 2), most: refreshes * mostRefreshes },
      wake,
    );
    this.#catalogs = new ZoneTasks(catalogsFollowed, wake);
    this.#loop = leasedLoop({
      db: service.store.db,
      holder: service.store.holder,
      name: leaseName,
      leaseFor,
      renewAfter,
      isAlone: service.store.isEmbedded,
      turn: (lease) => this.#turn(lease),
      every: turnEvery,
      tryEvery: renewAfter,
      gather: gatherFor,
      complain: (error) =>
        log.warn({ reason: String(error) }, "zones cannot be exchanged with other servers; trying again"),
      // another holder of the lease may have sent notices that this process does not know of
      onLease: () => (this.#notices = undefined),
      drain: () => this.#drain(),
    });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the service ends"));
    await this.#loop.close();
  }

  async #drain(): Promise<void> {
    await this.#refreshes.settle();
    await this.#catalogs.settle();
    this.#listener?.close();
  }

  /** Returns the milliseconds until the next turn. */
  async #turn(lease: Lease): Promise<number> {
    await this.#listen();
    this.#notices ??= new OutgoingNotices({ ...this.#options, signal: this.#closing.signal });
    if (!(await this.#notices.notifyChanged())) this.#loop.wake();
    await this.#beginDue();
    await this.#followDue(lease);
    return await this.#untilDue();
  }

  /** Returns the milliseconds until the next turn. While changes cause turns, the due times are not read each time. */
  async #untilDue(): Promise<number> {
    const { store, clock } = this.#options.service;
    if (performance.now() - this.#dueReadAt < dueReadEvery) return dueReadEvery;
    this.#dueReadAt = performance.now();
    const longest = store.isEmbedded ? turnEveryAlone : turnEvery;
    const next = await findNextDue(store.db, seconds(clock));
    return next === undefined ? longest : Math.min(longest, Math.max(0, next * 1000 - clock.now()));
  }

  async #beginDue(): Promise<void> {
    const { store, clock } = this.#options.service;
    for (let hasMore = true; hasMore; ) {
      const due = await listDue(store.db, seconds(clock), this.#dueAtOnce, this.#refreshes.accountsAtLimit());
      const begun = due.filter((row) => this.#begin(row));
      hasMore = begun.length > 0 && due.length === this.#dueAtOnce;
    }
  }

  /** Returns false when a refresh of the zone is already under way, or no slot is free. */
  #begin(row: ZoneRow): boolean {
    const input = new MeasuredInput(this.#limits.least, tooSlow);
    const own = { limits: this.#limits, memory: this.#memory, signal: this.#closing.signal };
    const transact: PullOptions["transact"] = (...given) => this.#transact(...given);
    const options = { ...this.#options, ...own, input, transact };
    const failed = this.#complainOf(row, "a zone could not be refreshed from its primaries");
    return this.#refreshes.begin(row, () => pull(options, row).catch(failed), input);
  }

  async #followDue(lease: Lease): Promise<void> {
    const { store, clock } = this.#options.service;
    const due = await listToFollow(store.db, seconds(clock), catalogsAtOnce, this.#catalogs.accountsAtLimit());
    for (const row of due) {
      const task = new LongTask(followedFor);
      const options = { ...this.#options, lease, signal: AbortSignal.any([this.#closing.signal, task.signal]) };
      const failed = this.#complainOf(row, "following a catalog failed");
      this.#catalogs.begin(row, () => follow(options, row).catch(failed), task);
    }
  }

  #complainOf({ zone }: ZoneRow, message: string): (error: unknown) => void {
    return (error) => this.#options.log.error({ zone, reason: String(error) }, message);
  }

  async #transact({ row, action, isLarge = false }: TransferAct, step: (ctx: Ctx) => Promise<void>): Promise<void> {
    const { service } = this.#options;
    const { account_id, id, zone } = row;
    const who = { account_id, id: "transfer", name: "zone transfer" };
    await writeAs(service, who, { log: ["dns_zone", action], within: patience, isLarge }, async (ctx) => {
      await step(ctx);
      const { given } = ctx.changes;
      return given && { id, zone, serial: given[id] ?? row.serial };
    });
  }

  /** Listens for the store's notifications of changes and of NOTIFY messages that edges have received. */
  async #listen(): Promise<void> {
    if (this.#listener?.lost === false) return;
    const channels = [changeChannel, refreshChannel];
    this.#listener = await this.#options.service.store.listen(channels, () => this.#loop.wake());
  }
}

const tooSlow = () => new WireError("is too slow while other zones wait for its slot; the transfer will be retried");
