/** Work on zones in the background: one task per zone at a time, within limits in total and per account. */
import { type Holder, type SlotLimits, Slots } from "../../lib/fair/slots.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";

/** A task that has lasted for `most` milliseconds: it can lose its slot, and is continued in a later turn. */
export class LongTask implements Holder {
  readonly #ending = new AbortController();
  readonly #most: number;
  readonly #began: number;
  readonly #now: () => number;

  constructor(most: number, now = () => performance.now()) {
    this.#most = most;
    this.#now = now;
    this.#began = now();
  }

  get isSlow(): boolean {
    return this.#now() - this.#began >= this.#most;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  loseSlot(): void {
    this.#ending.abort(new Error("other accounts wait"));
  }
}

export class ZoneTasks {
  readonly #slots: Slots;
  readonly #ended: () => void;
  /** Running tasks, by zone. */
  readonly #running = new Map<string, Promise<void>>();

  /** `ended` is called after each task. */
  constructor(limits: SlotLimits, ended: () => void) {
    this.#slots = new Slots(limits);
    this.#ended = ended;
  }

  /** Accounts that have reached their share of the tasks, and cannot begin another one now. */
  accountsAtLimit(): string[] {
    return this.#slots.accountsAtLimit();
  }

  /** Begins a task, which handles its errors itself. False when the zone has a running task or no slot is free. */
  begin({ id, account_id }: ZoneRow, task: () => Promise<void>, holder?: Holder): boolean {
    if (this.#running.has(id)) return false;
    const slot = this.#slots.take(account_id, holder && { holder });
    if (!slot) return false;
    const running = task().finally(() => {
      slot.leave();
      this.#running.delete(id);
      this.#ended();
    });
    this.#running.set(id, running);
    return true;
  }

  /** Waits for the end of the running tasks. */
  async settle(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
