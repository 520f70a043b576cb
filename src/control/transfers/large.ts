/** A zone that is too large to be held in memory: on its way into the store, where nobody sees it before it is taken over. */
import { nameFromApi } from "../../dns/name.ts";
import type { ResourceRecord } from "../../dns/reply.ts";
import type { Store } from "../../storage/db.ts";
import { ZoneLoad } from "../../storage/loads.ts";
import { Turns } from "../turns.ts";
import { type PlainRrset, SliceWriter } from "../zonefiles/slices.ts";
import { Contents, type Rrset } from "./contents.ts";
import { Folding } from "./folding.ts";
import { recordsAtNames } from "./store.ts";

export interface LargeZoneOptions {
  readonly store: Store;
  readonly account_id: string;
  /** Unix seconds. */
  readonly now: number;
  /** Throws when there are too many already. */
  readonly enter: () => void;
  /** Leaves room for others, between two slices. */
  readonly pace: () => Promise<void>;
}

interface Writing {
  readonly load: ZoneLoad;
  readonly slices: SliceWriter;
  readonly folding: Folding;
}

/** Records between two looks at the clock. */
const stride = 100;
/** RRsets in several places that are put together at once. */
const mergedAtOnce = 500;

export class LargeZone {
  readonly #options: LargeZoneOptions;
  #load: ZoneLoad | undefined;
  #writing: Writing | undefined;

  constructor(options: LargeZoneOptions) {
    this.#options = options;
  }

  get isBegun(): boolean {
    return this.#writing !== undefined;
  }

  /** Throws a WireError for what cannot be served. */
  async add(records: readonly ResourceRecord[]): Promise<void> {
    this.#writing ??= await this.#begin();
    const writing = this.#writing;
    const turns = new Turns();
    for (const [i, record] of records.entries()) {
      writing.folding.add(record);
      if (writing.slices.isFull) await this.#flush(writing);
      if (i % stride === 0) await turns.giveWay();
    }
  }

  /** The load with all records that were added. */
  async complete(): Promise<ZoneLoad> {
    this.#writing ??= await this.#begin();
    const { load, slices, folding } = this.#writing;
    folding.end();
    await this.#flush(this.#writing);
    const returned = [...folding.returned.rrsets.values()].flatMap((rrset) => rrset ?? []);
    for (let at = 0; at < returned.length; at += mergedAtOnce) {
      const whole = await this.#merged(load, returned.slice(at, at + mergedAtOnce));
      await load.remove(whole.map(({ domain, type }) => ({ domain, type: type.name })));
      for (const rrset of whole) slices.add(rrset);
      await this.#flush(this.#writing);
    }
    return load;
  }

  /** Takes back what was added. */
  async clear(): Promise<void> {
    if (!this.#writing) return;
    this.#writing = undefined;
    await this.#load?.clear();
  }

  /** To be called in any case. */
  async end(): Promise<void> {
    await this.#load?.end();
  }

  async #begin(): Promise<Writing> {
    const { store, account_id, now, enter } = this.#options;
    enter();
    this.#load ??= await ZoneLoad.begin(store, account_id);
    const load = this.#load;
    const slices = new SliceWriter({ account_id, zone_id: load.zone_id, now });
    return { load, slices, folding: new Folding((rrset) => slices.add(rrset)) };
  }

  async #flush({ load, slices }: Writing): Promise<void> {
    if (slices.isEmpty) return;
    await load.add(slices.take());
    await this.#options.pace();
  }

  /** Of RRsets that came in several places, what was added before and what came since. */
  async #merged({ account_id, zone_id: id }: ZoneLoad, returned: readonly Rrset[]): Promise<PlainRrset[]> {
    const names = [...new Set(returned.map(({ domain }) => domain))];
    const contents = Contents.after(await recordsAtNames(this.#options.store.db, { account_id, id }, names), []);
    const whole = returned.map(({ domain, type, ttl, data }) => {
      const owner = nameFromApi(domain);
      const [rrset] = [...data.values()].map((rdata) => contents.add({ owner, type, ttl, rdata }));
      return { ...rrset!, owner };
    });
    contents.assertServable();
    return whole.map((rrset) => ({ ...rrset, rdata: [...rrset.data.values()] }));
  }
}
