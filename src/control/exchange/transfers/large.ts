/** A zone too large for memory, on its way into the store, where it is invisible until it is taken over. */

import type { TransferLimits, TransferQuery } from "../../../dns/transfer/reply.ts";
import { typeCoded } from "../../../dns/type-names.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import type { Store } from "../../../storage/db.ts";
import { type LoadHead, type LoadSlice, ZoneLoad } from "../../../storage/loads.ts";
import { type PlainRrset, SliceWriter } from "../../zonefiles/loading/slices.ts";
import { LoadingThread } from "../../zonefiles/loading/thread.ts";
import { recordsAt } from "../../zones/model/record/store.ts";
import { Contents } from "./contents.ts";
import type { Returned, ReturnedRrset, TransferData } from "./transfer-thread.ts";

export interface LargeZoneOptions {
  readonly store: Store;
  readonly account_id: string;
  /** Unix seconds. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Throws when too many large transfers are already under way. */
  readonly enter: () => void;
  /** Throws when the account must not have as much as the load. */
  readonly assertSize: (size: ZoneLoad["size"]) => void;
  /** Makes way for other work between two slices. */
  readonly pace: () => Promise<void>;
}

/** Scattered RRsets that are put together in one step. */
const mergedAtOnce = 500;

export class LargeZone {
  readonly #options: LargeZoneOptions;
  #load: ZoneLoad | undefined;
  #thread: LoadingThread<Uint8Array, LoadSlice, Returned> | undefined;
  /** RRsets whose first records are in the load, with the records that arrived later. */
  #returned: readonly ReturnedRrset[] = [];

  constructor(options: LargeZoneOptions) {
    this.#options = options;
  }

  get isBegun(): boolean {
    return this.#thread !== undefined;
  }

  /** Begins a load. All messages of the answer must then be passed to `take`, starting with the first. */
  async begin(asked: TransferQuery, limits: TransferLimits): Promise<void> {
    const { store, account_id, signal, enter, assertSize, pace } = this.#options;
    enter();
    this.#load ??= await ZoneLoad.begin(store, account_id);
    const load = this.#load;
    const data: TransferData = { asked, limits, head: this.#headOf(load) };
    const take = async (slice: LoadSlice) => {
      await load.add(slice);
      assertSize(load.size);
      await pace();
    };
    const entry = new URL("./transfer-thread.ts", import.meta.url);
    this.#thread = new LoadingThread({ entry, name: "transfer", data, signal, take });
  }

  /** Takes a message, whose buffer moves to the thread. Returns whether it completes the answer. */
  async take(message: Uint8Array): Promise<boolean> {
    const returned = await this.#thread!.ask(message, [message.buffer as ArrayBuffer]);
    this.#returned = returned ?? [];
    return returned !== undefined;
  }

  /** Returns the load with all messages taken. */
  async complete(): Promise<ZoneLoad> {
    const load = this.#load!;
    const returned = this.#returned;
    await this.#thread!.settle();
    const slices = new SliceWriter(this.#headOf(load));
    for (let at = 0; at < returned.length; at += mergedAtOnce) {
      const whole = await this.#merged(load, returned.slice(at, at + mergedAtOnce));
      await load.remove(whole.map(({ domain, type }) => ({ domain, type: type.name })));
      for (const rrset of whole) slices.add(rrset);
      await load.add(slices.take());
      await this.#options.pace();
    }
    return load;
  }

  /** Removes everything taken so far. */
  async clear(): Promise<void> {
    if (!this.#thread) return;
    await this.#stop();
    await this.#load?.clear();
  }

  /** Must always be called in the end. */
  async end(): Promise<void> {
    await this.#stop();
    await this.#load?.end();
  }

  async #stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }

  #headOf({ zone_id }: ZoneLoad): LoadHead {
    const { account_id, now } = this.#options;
    return { account_id, zone_id, now };
  }

  /** Merges the loaded records of scattered RRsets with those that arrived later. */
  async #merged({ account_id, zone_id: id }: ZoneLoad, returned: readonly ReturnedRrset[]): Promise<PlainRrset[]> {
    const names = [...new Set(returned.map(({ domain }) => domain))];
    const contents = Contents.after(await recordsAt(this.#options.store.db, { account_id, id }, names), []);
    const whole = returned.map(({ domain, type: code, ttl, rdata: all }) => {
      const [owner, type] = [nameFromApi(domain), typeCoded(code)];
      const [rrset] = all.map((rdata) => contents.add({ owner, type, ttl, rdata }));
      return { ...rrset!, owner };
    });
    contents.assertServable();
    return whole.map((rrset) => ({ ...rrset, rdata: [...rrset.data.values()] }));
  }
}
