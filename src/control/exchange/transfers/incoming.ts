/** Takes a primary's answer as it arrives: held in memory, or passed on to the store when the zone is too large. */
import type { ResourceRecord } from "../../../dns/reply.ts";
import {
  type TransferLimits,
  type TransferQuery,
  TransferReader,
  type Transferred,
} from "../../../dns/transfer/reply.ts";
import { WireError } from "../../../dns/wire/wire.ts";
import type { LargeZone } from "./large.ts";
import type { TransferShare } from "./memory.ts";

/** The transferred data, or that nothing is new, or that the zone was too large for memory and its records are in a load. */
export type TransferOutcome = Transferred | { readonly kind: "large"; readonly soa: ResourceRecord };

export interface IncomingOptions {
  readonly limits: TransferLimits;
  /** The maximum held in memory: a larger whole zone goes to the store, larger differences are refused. */
  readonly held: TransferLimits;
  readonly share: TransferShare;
  readonly large: LargeZone;
}

export class Incoming {
  readonly #asked: TransferQuery;
  readonly #options: IncomingOptions;
  readonly #reader: TransferReader;
  /** The messages of a whole zone, which are parsed a second time: parsed records would need several times the memory. */
  #messages: Uint8Array[] = [];

  constructor(asked: TransferQuery, options: IncomingOptions) {
    this.#asked = asked;
    this.#options = options;
    this.#reader = new TransferReader(asked, options.limits);
  }

  /** Returns undefined until the answer is complete. Throws a WireError for a bad answer. */
  async take(message: Uint8Array): Promise<TransferOutcome | undefined> {
    const { share, large, held } = this.#options;
    if (large.isBegun) return await this.#pass(message);
    share.take(this.#reader.take(message));
    this.#messages.push(message);
    if (this.#reader.isWhole) this.#reader.drain();
    if (this.#reader.isComplete) return this.#reader.isWhole ? this.#whole() : this.#reader.result();
    if (share.records <= held.records && share.octets <= held.octets) return undefined;
    if (!this.#reader.isWhole) {
      throw new WireError(`has more than ${held.records} records, or ${held.octets} octets, of differences`);
    }
    await this.#enlarge();
    return undefined;
  }

  #whole(): TransferOutcome {
    const reader = new TransferReader(this.#asked, this.#options.limits);
    for (const message of this.#messages) reader.take(message);
    return reader.result();
  }

  /** Passes the held messages on to the store; all further messages follow. */
  async #enlarge(): Promise<void> {
    const { share, large, limits } = this.#options;
    await large.begin(this.#asked, limits);
    const messages = this.#messages;
    this.#messages = [];
    for (const message of messages) await large.take(message);
    share.clear();
  }

  async #pass(message: Uint8Array): Promise<TransferOutcome | undefined> {
    const isComplete = await this.#options.large.take(message);
    return isComplete ? { kind: "large", soa: this.#reader.soa! } : undefined;
  }
}
