/** Requests zones whose primaries have sent a NOTIFY, at a bounded rate for each zone and each account. */
import { Slot, type SlotLimits, Slots } from "../../lib/fair/slots.ts";
import type { Incoming } from "../../sync/peers.ts";
import { type NoticeTable, noteRequested } from "./notice-table.ts";

/** Milliseconds between two requests for one zone; notices in between become one request after the pause. */
const pause = 200;

/** Zones in their pause; further zones wait, and accounts take turns. So no acknowledged notice is lost. */
export const noticeSlots: SlotLimits = { all: 2000, own: 500, most: 4000, waiting: { all: Number.POSITIVE_INFINITY } };

export class Notices {
  readonly #request: (zone: Incoming) => void;
  readonly #table: NoticeTable;
  readonly #slots = new Slots(noticeSlots);
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Zones to request: at the end of their pause, or when they get a slot. At most one entry for each zone. */
  readonly #waiting = new Map<string, Incoming>();
  #isClosed = false;

  /** `table` is shared with the workers that pass notices on. */
  constructor(request: (zone: Incoming) => void, table: NoticeTable) {
    this.#request = request;
    this.#table = table;
  }

  take(zone: Incoming): void {
    const isWaiting = this.#waiting.has(zone.zone_id);
    // the newest settings of the zone
    if (isWaiting || this.#timers.has(zone.zone_id)) this.#waiting.set(zone.zone_id, zone);
    else this.#begin(zone);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.clear();
  }

  #begin(zone: Incoming): void {
    const slot = this.#slots.wait(zone.account_id);
    if (slot instanceof Slot) this.#ask(zone, slot);
    else void this.#askLater(zone, slot);
  }

  async #askLater(zone: Incoming, slot: ReturnType<Slots["wait"]>): Promise<void> {
    this.#waiting.set(zone.zone_id, zone);
    const later = await slot;
    const newest = this.#waiting.get(zone.zone_id) ?? zone;
    this.#waiting.delete(zone.zone_id);
    if (later && !this.#isClosed) this.#ask(newest, later);
  }

  #ask(zone: Incoming, slot: Slot): void {
    noteRequested(this.#table, zone.zone_id);
    this.#request(zone);
    const timer = setTimeout(() => {
      this.#timers.delete(zone.zone_id);
      slot.leave();
      const next = this.#waiting.get(zone.zone_id);
      this.#waiting.delete(zone.zone_id);
      if (next) this.#begin(next);
    }, pause).unref();
    this.#timers.set(zone.zone_id, timer);
  }
}
