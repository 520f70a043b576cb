/** Exchanges zones with other servers, in one process at a time: transfers from primaries, notices to secondaries. */
import { seconds } from "../../lib/clock.ts";
import type { Traffic } from "../../lib/fair/pace.ts";
import { usualLeast } from "../../lib/fair/speed.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Listener } from "../../storage/connection/listen.ts";
import type { Lease } from "../../storage/lease.ts";
import { type LeasedLoop, leasedLoop } from "../../storage/leased-loop.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { changeChannel } from "../../sync/change.ts";
import { refreshChannel } from "../../sync/peers.ts";
import type { Ctx, WriteOptions } from "../write/context.ts";
import { writeAs } from "../write/system.ts";
import { CatalogConsumer } from "./catalogs/consumer.ts";
import { LookPlaces } from "./look-places.ts";
import { OutgoingNotices } from "./notify/notify.ts";
import type { PullLimits } from "./transfers/primary.ts";
import { type PullOptions, pull, type TransferAct } from "./transfers/pull.ts";
import { type RoomLimits, TransferRoom } from "./transfers/room.ts";
import { listDue } from "./transfers/store.ts";

export interface ExchangerOptions {
  readonly service: WriteOptions;
  readonly traffic: Traffic;
  readonly random: Random;
  readonly log: Log;
  readonly limits?: Partial<PullLimits>;
  /** Zones that are looked at at once; half of them, rounded up, may be of one account. */
  readonly looks?: number | undefined;
}

const megabyte = 1024 * 1024;

const defaults: PullLimits = {
  records: 5_000_000,
  octets: 256 * megabyte,
  message: 10_000,
  transfer: 3_600_000,
  held: { records: 50_000, octets: 16 * megabyte },
  least: usualLeast,
};

/** What all looks together have room for. */
const room: RoomLimits = {
  own: { records: 250_000, octets: 64 * megabyte, large: 2 },
  all: { records: 500_000, octets: 128 * megabyte, large: 3 },
};

const leaseName = "transfers";
const leaseFor = 10_000;
const renewAfter = 3000;
/** Milliseconds in which several changes become one look, and in which edges receive them before secondaries ask. */
const gatherFor = 20;
/** Milliseconds between two looks when no change is reported. */
const lookEvery = 3000;
const usualLooks = 20;
/** Milliseconds for the transaction that takes a zone over. */
const patience = 600_000;

export class ZoneExchanger {
  readonly #options: ExchangerOptions;
  readonly #closing = new AbortController();
  readonly #limits: PullLimits;
  readonly #room: TransferRoom;
  readonly #places: LookPlaces;
  readonly #under = new Set<Promise<void>>();
  readonly #loop: LeasedLoop;
  #listener: Listener | undefined;
  readonly #catalogs: CatalogConsumer;
  #notices: OutgoingNotices | undefined;

  constructor(options: ExchangerOptions) {
    this.#options = options;
    this.#limits = { ...defaults, ...options.limits };
    this.#room = new TransferRoom(room, this.#limits.least);
    this.#places = new LookPlaces(options.looks ?? usualLooks);
    this.#catalogs = new CatalogConsumer({ ...options, signal: this.#closing.signal }, () => this.#loop.wake());
    const { log, service } = options;
    this.#loop = leasedLoop({
      db: service.store.db,
      name: leaseName,
      leaseFor,
      renewAfter,
      turn: (lease) => this.#turn(lease),
      every: lookEvery,
      tryEvery: renewAfter,
      gather: gatherFor,
      complain: (error) =>
        log.warn({ reason: String(error) }, "zones are not exchanged with other servers; trying again"),
      // the next holder has sent notices that this process does not know
      onLease: () => (this.#notices = undefined),
      drain: () => this.#drain(),
    });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the service ends"));
    await this.#loop.close();
  }

  async #drain(): Promise<void> {
    await Promise.all(this.#under);
    await this.#catalogs.close();
    this.#listener?.close();
  }

  async #turn(lease: Lease): Promise<void> {
    await this.#listen();
    this.#notices ??= new OutgoingNotices({ ...this.#options, signal: this.#closing.signal });
    if (!(await this.#notices.look())) this.#loop.wake();
    await this.#beginDue();
    await this.#catalogs.look(lease);
  }

  /** Accounts that have less than their part come first; others have what is left. */
  async #beginDue(): Promise<void> {
    const places = this.#places;
    if (places.isFull) return await this.#makeWay();
    for (const most of [() => places.part, () => places.own]) {
      let hasMore = true;
      while (hasMore && !places.isFull) {
        const due = await this.#listDue(places.having(most()));
        const begun = due.filter((row) => this.#begin(row, most()));
        hasMore = begun.length > 0 && due.length === places.all;
      }
    }
  }

  /** Who is slow makes way for who has less than its part. */
  async #makeWay(): Promise<void> {
    const due = await this.#listDue(this.#places.having(this.#places.part));
    const waiting = due.find(({ id }) => !this.#places.has(id));
    if (waiting) this.#room.makeWay(waiting.account_id);
  }

  #listDue(busy: readonly string[]): Promise<ZoneRow[]> {
    const { store, clock } = this.#options.service;
    return listDue(store.db, seconds(clock), this.#places.all, busy);
  }

  /** False where there is no place for it. */
  #begin(row: ZoneRow, most: number): boolean {
    if (!this.#places.enter(row, most)) return false;
    const { service, traffic, random, log } = this.#options;
    const transact: PullOptions["transact"] = (...given) => this.#transact(...given);
    const options = {
      service,
      traffic,
      random,
      log,
      limits: this.#limits,
      room: this.#room,
      signal: this.#closing.signal,
      transact,
    };
    const look = pull(options, row)
      .catch((error) => log.error({ zone: row.zone, reason: String(error) }, "a look at a zone's primary failed"))
      .finally(() => {
        this.#places.leave(row.id);
        this.#under.delete(look);
        this.#loop.wake();
      });
    this.#under.add(look);
    return true;
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

  /** The store notifies of changes, and of notices that edges have received. */
  async #listen(): Promise<void> {
    if (this.#listener?.lost === false) return;
    const channels = [changeChannel, refreshChannel];
    this.#listener = await this.#options.service.store.listen(channels, () => this.#loop.wake());
  }
}
