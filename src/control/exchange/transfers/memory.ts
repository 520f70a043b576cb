/** Limits the memory of transfers until they are written, and the number of large ones, in total and per account. */
import type { TransferLimits } from "../../../dns/transfer/reply.ts";
import { WireError } from "../../../dns/wire/wire.ts";
import type { MeasuredInput } from "../../../lib/fair/measured-input.ts";
import { type Slot, type SlotLimits, Slots } from "../../../lib/fair/slots.ts";

export interface MemoryLimits {
  readonly records: SlotLimits;
  readonly octets: SlotLimits;
  /** Transfers that are written to the store as they arrive, because they are too large to be held. */
  readonly large: SlotLimits;
}

export class TransferMemory {
  readonly #slots: Readonly<Record<keyof MemoryLimits, Slots>>;

  constructor({ records, octets, large }: MemoryLimits) {
    this.#slots = { records: new Slots(records), octets: new Slots(octets), large: new Slots(large) };
  }

  /** Returns the share of one transfer, whose `leave` must be called in the end. */
  enter(account_id: string, input: MeasuredInput): TransferShare {
    const take = (kind: keyof MemoryLimits) => this.#slots[kind].take(account_id, { holder: input, weight: 0 })!;
    return new TransferShare(input, { records: take("records"), octets: take("octets"), large: take("large") });
  }
}

export class TransferShare {
  readonly input: MeasuredInput;
  readonly #slots: Readonly<Record<keyof MemoryLimits, Slot>>;

  constructor(input: MeasuredInput, slots: Readonly<Record<keyof MemoryLimits, Slot>>) {
    this.input = input;
    this.#slots = slots;
  }

  get records(): number {
    return this.#slots.records.weight;
  }

  get octets(): number {
    return this.#slots.octets.weight;
  }

  /** Throws a WireError when the memory limit is reached. */
  take({ records, octets }: TransferLimits): void {
    this.#resize("records", this.records + records);
    this.#resize("octets", this.octets + octets);
  }

  /** Marks the transfer as written to the store as it arrives. Throws a WireError when too many transfers are. */
  enlarge(): void {
    this.#resize("large", 1);
  }

  /** Releases the memory of messages that are no longer held. */
  clear(): void {
    this.#slots.records.resize(0);
    this.#slots.octets.resize(0);
  }

  leave(): void {
    for (const slot of Object.values(this.#slots)) slot.leave();
  }

  #resize(kind: keyof MemoryLimits, weight: number): void {
    this.input.signal.throwIfAborted();
    if (!this.#slots[kind].resize(weight)) throw full();
  }
}

const full = () =>
  new WireError("was interrupted: the transfer memory limit was reached; the transfer will be retried");
