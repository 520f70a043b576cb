/** Requests zones whose primaries have sent a NOTIFY, at a bounded rate for each zone. */
import type { Incoming } from "../../sync/peers.ts";

/** Milliseconds between two requests for one zone; notices in between become one request after the pause. */
const pause = 200;
/** Maximum number of zones in their pause; notices for further zones are dropped, like lost datagrams. */
const most = 2000;

export class Notices {
  readonly #request: (zone: Incoming) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Zones to request at the end of their pause. */
  readonly #waiting = new Map<string, Incoming>();

  constructor(request: (zone: Incoming) => void) {
    this.#request = request;
  }

  take(zone: Incoming): void {
    if (this.#timers.has(zone.zone_id)) this.#waiting.set(zone.zone_id, zone);
    else if (this.#timers.size < most) this.#ask(zone);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.clear();
  }

  #ask(zone: Incoming): void {
    this.#request(zone);
    const timer = setTimeout(() => {
      this.#timers.delete(zone.zone_id);
      const next = this.#waiting.get(zone.zone_id);
      this.#waiting.delete(zone.zone_id);
      if (next) this.#ask(next);
    }, pause).unref();
    this.#timers.set(zone.zone_id, timer);
  }
}
