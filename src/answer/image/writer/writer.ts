/** The only writer of an image: stages zones and records, and makes them visible to all readers at once. */

import { typeNamed } from "../../../dns/type-names.ts";
import { TypeCode } from "../../../dns/wire/constants.ts";
import { nameFromApi, nameToApi } from "../../../dns/wire/name.ts";
import { invalid } from "../../../lib/problem.ts";
import { type CopiedImage, ImageCopy, type ImageState } from "../memory/copy.ts";
import { DirtyChunks } from "../memory/dirty.ts";
import { dataApex, dataNumber, dataRecords, firstImageFormat, imageFormat, rrsetSteered } from "../memory/layout.ts";
import type { MemoryOptions } from "../memory/segments.ts";
import type { ImageShare } from "../memory/share.ts";
import { emptySum, replaceIn } from "../rrset/digest.ts";
import type { Part } from "../rrset/parts.ts";
import { type Rrset, rrsetOf } from "../rrset/rrset.ts";
import { serialAt, soaOf } from "../rrset/soa.ts";
import type { ImageRecord, ImageZone } from "../rrset/source.ts";
import { setSteeringNumber } from "../rrset/steered.ts";
import { ImageCore } from "./core.ts";
import { ZoneSums } from "./digests.ts";
import { LinkedZones } from "./linked-zones.ts";
import type { Owner } from "./nodes.ts";
import { ZonelessRecords } from "./zoneless-records.ts";

export interface ImageOptions extends MemoryOptions {
  /** Two random numbers, which prevent crafted names from colliding. */
  readonly seed?: readonly [number, number];
  /** Keeps the metadata of steered records as they were sent, for traces; queries then take longer. */
  readonly asSent?: boolean;
}

/** New contents of a zone, before they replace the current contents. */
export interface ImageContents {
  /** Address of the data. */
  readonly data: number;
  readonly apex: Uint8Array;
  records: number;
  /** The sum of the RRsets, for the zone's digest. */
  readonly sum: Int32Array;
}

/** A name: the data of its zone, and the hash under which its node is looked up. */
export interface NameHandle {
  readonly data: number;
  readonly name: number;
}

/** An RRset that a name has, or had, with the name. */
export interface FormerRrset extends NameHandle {
  readonly domain: string;
  readonly rrset: Rrset;
}

export interface ImageStats {
  readonly zones: number;
  /** Number of RRsets, without the zones' SOA records. */
  readonly records: number;
  /** All shared memory. */
  readonly octets: number;
  /** Octets in freed blocks, to be reused or released. */
  readonly free: number;
  /** Number of blocks that are not reclaimed yet. */
  readonly waiting: number;
  /** Number of segments emptied and released so far. */
  readonly emptied: number;
}

export class ImageWriter {
  readonly #core: ImageCore;
  /** Names of the views by number; only view 0 is answered so far. */
  readonly #views: string[] = [];
  /** Numbers of accounts, from 1 on. */
  readonly #accounts = new Map<string, number>();
  readonly #zoneless = new ZonelessRecords();
  readonly #linkedZones: LinkedZones;
  readonly #sums = new ZoneSums();
  readonly #asSent: boolean;
  /** The format of the image that this one continues from. */
  #format: number = imageFormat;
  #records = 0;
  /** The number of the last steered RRset. */
  #lastSteered = 0;

  static create(options: ImageOptions = {}): ImageWriter {
    const [seed = 0, multiplier = 0] = options.seed ?? crypto.getRandomValues(new Uint32Array(2));
    return new ImageWriter(seed, multiplier, options);
  }

  /**
   * Continues from a copy of another image, in the copy's memory. A copy without accounts can be answered, but not changed:
   * links of its zones would not find zones that are put later.
   */
  static restore({ state, regions }: CopiedImage, options: MemoryOptions = {}): ImageWriter {
    if (state.format < firstImageFormat || state.format > imageFormat) {
      throw new Error(
        `an image of format ${state.format}; this version reads formats ${firstImageFormat} to ${imageFormat}`,
      );
    }
    const image = new ImageWriter(state.seed, state.multiplier, options);
    image.#core.restore({ state, regions });
    image.#core.zones.numbers.count = state.zoneNumbers;
    image.#views.push(...state.views);
    for (const account of state.accounts ?? []) image.#accountOf(account);
    image.#linkedZones.restore(state.waiting ?? []);
    image.#format = state.format;
    if (state.format === firstImageFormat) image.#core.zones.joinAccounts();
    image.#records = state.records;
    image.#lastSteered = state.recipes;
    if (state.sums !== undefined) image.#sums.restore(state.sums);
    return image;
  }

  private constructor(seed: number, multiplier: number, options: ImageOptions) {
    this.#asSent = options.asSent ?? false;
    this.#core = new ImageCore(seed, multiplier, options);
    this.#linkedZones = new LinkedZones(this.#core);
  }

  /** Everything a new reader needs. */
  share(): ImageShare {
    return this.#core.sharing.share();
  }

  /**
   * Adds a listener for new segments and tables, called before any reader can see them. A reader that needs a segment
   * or table before it receives the listener's message fetches it: see ImageReader.
   */
  onGrow(listener: (share: ImageShare) => void): void {
    this.#core.sharing.onGrow(listener);
  }

  /** Begins a copy, which must end before the next begins. Do not call its `finish` between changes and their commit. */
  copy(): ImageCopy {
    const dirty = new DirtyChunks();
    this.#core.track(dirty);
    return new ImageCopy({
      dirty,
      regions: () => this.#core.regions(),
      state: () => this.#state(),
      end: () => this.#core.track(undefined),
    });
  }

  putZone(zone: ImageZone, serial: number): void {
    const soa = soaOf(zone, serial);
    this.#core.key.load(nameFromApi(zone.zone), 0);
    const known = this.#core.ids.get(zone.id);
    if (known !== undefined) {
      // a zone that is linked no more has its own state from now on, and not the target's
      this.#core.zones.unlink(known);
      this.#core.zones.update(known, this.#core.key, zone);
    }
    const data = known ?? this.#insert(zone);
    this.#putSoa(data, soa);
    this.#linkedZones.place(zone, data);
    for (const { domain, rrset } of this.#zoneless.take(zone.id)) this.#put(data, domain, rrset);
  }

  setSerial(zoneId: string, serial: number): void {
    const data = this.#core.ids.get(zoneId);
    if (data === undefined) return;
    const apex = this.#core.blocks.memory.word(data, dataApex);
    const soa = this.#core.nodes.find(apex, TypeCode.SOA)!;
    const octets = soa.source.slice(soa.at, soa.at + soa.octets);
    new DataView(octets.buffer).setUint32(serialAt(octets.length), serial);
    if (this.#core.blocks.isStaged(apex)) {
      soa.source.set(octets, soa.at);
    } else {
      this.#core.zones.load(data, this.#core.key);
      this.#putSoa(data, { ...soa, octets });
    }
  }

  removeZone(zoneId: string): void {
    this.#zoneless.take(zoneId);
    const data = this.#core.ids.get(zoneId);
    if (data === undefined) return;
    this.#linkedZones.remove(zoneId, data);
    this.#core.zones.load(data, this.#core.key);
    this.#core.zones.remove(data, this.#core.key);
    this.#core.ids.remove(zoneId, data);
    this.#records -= this.#core.blocks.memory.word(data, dataRecords);
  }

  /** Throws a Problem, and changes nothing, when the record cannot be served. */
  putRecord(record: ImageRecord): void {
    const { zone_id, domain } = record;
    const rrset = rrsetOf(record, this.#asSent);
    // The SOA record comes from the zone itself; redirects are not DNS data
    if (!rrset || rrset.type === TypeCode.SOA) return;
    if ((rrset.flags & rrsetSteered) !== 0) setSteeringNumber(rrset, ++this.#lastSteered);
    const data = this.#core.ids.get(zone_id);
    if (data !== undefined) this.#put(data, domain, rrset);
    else this.#zoneless.add(zone_id, domain, rrset);
  }

  /** Begins new contents of a zone: invisible until `putContents`, even after a commit. */
  beginContents(zoneId: string, zone: string): ImageContents {
    return { data: this.#core.zones.insertData(zoneId), apex: nameFromApi(zone), records: 0, sum: emptySum() };
  }

  /** `owner` is in wire format. Throws a Problem, and changes nothing, when the RRset cannot be served. */
  addToContents(contents: ImageContents, owner: Uint8Array, rrset: Rrset): void {
    const { data, apex } = contents;
    const { key, apexKey, nodes } = this.#core;
    key.load(owner, 0);
    apexKey.load(apex, 0);
    const former = nodes.put(this.#belowApex(data), rrset);
    if (!former) contents.records++;
    replaceIn(contents.sum, 0, key, former, rrset);
  }

  /** Replaces the zone's records with the contents, from the next commit on. */
  putContents(zoneId: string, contents: ImageContents): void {
    const { data, apex, records, sum } = contents;
    const { ids, zones, nodes, key, blocks } = this.#core;
    const old = ids.get(zoneId);
    // the zone was removed
    if (old === undefined) {
      this.dropContents(contents);
      return;
    }
    const { memory } = blocks;
    const soa = nodes.find(memory.word(old, dataApex), TypeCode.SOA)!;
    const octets = soa.source.slice(soa.at, soa.at + soa.octets);
    this.#records += records - memory.word(old, dataRecords);
    memory.setWord(data, dataRecords, records);
    this.#sums.set(memory.word(old, dataNumber), sum);
    key.load(apex, 0);
    zones.replaceData(old, data, key);
    this.#putSoa(data, { ...soa, octets });
    ids.remove(zoneId, old);
    ids.insert(zoneId, data);
  }

  /** Discards contents that will not be put. */
  dropContents({ data }: ImageContents): void {
    this.#core.zones.discard(data);
  }

  removeRecord(zoneId: string, domain: string, type: string): void {
    const data = this.#core.ids.get(zoneId);
    const code = typeNamed(type)?.code;
    if (code === undefined || code === TypeCode.SOA) return;
    this.#zoneless.remove(zoneId, domain, code);
    if (data === undefined) return;
    const former = this.#core.nodes.remove(this.#ownerOf(data, domain), code);
    if (former) this.#note(data, former, undefined);
  }

  /** The handle of a record's name, which need not exist; undefined if its zone does not exist. */
  handleOf({ zone_id, domain }: Pick<ImageRecord, "zone_id" | "domain">): NameHandle | undefined {
    const data = this.#core.ids.get(zone_id);
    return data === undefined ? undefined : { data, name: this.#ownerOf(data, domain).key.folds[0]! };
  }

  /** The RRset currently served for this record; undefined when there is none. */
  former({ zone_id, domain, type }: Pick<ImageRecord, "zone_id" | "domain" | "type">): FormerRrset | undefined {
    const { ids, nodes } = this.#core;
    const data = ids.get(zone_id);
    const code = typeNamed(type)?.code;
    if (data === undefined || code === undefined || code === TypeCode.SOA) return undefined;
    const owner = this.#ownerOf(data, domain);
    const part = nodes.at(owner, code);
    if (!part) return undefined;
    const { count, flags, source, at, octets } = part;
    const rrset = { type: code, count, flags, octets: source.slice(at, at + octets) };
    return { data, name: owner.key.folds[0]!, domain, rrset };
  }

  /** Serves a former RRset again, if its zone still exists. */
  putBack({ data, domain, rrset }: FormerRrset): void {
    if (this.#core.zones.has(data)) this.#put(data, domain, rrset);
  }

  /** The zone with this data: its id in the store, and its name as the API writes it; undefined when it is gone. */
  zoneAt(data: number): { readonly id: string; readonly zone: string } | undefined {
    const { zones } = this.#core;
    return zones.has(data) ? { id: zones.idOf(data), zone: this.#core.zones.nameOf(data) } : undefined;
  }

  /** The zone with this id, with the number of its RRsets; undefined when it does not exist. */
  zoneOf(zoneId: string): { readonly zone: string; readonly records: number } | undefined {
    const { ids, zones, blocks } = this.#core;
    const data = ids.get(zoneId);
    return data === undefined
      ? undefined
      : { zone: zones.nameOf(data), records: blocks.memory.word(data, dataRecords) };
  }

  /** The digest of the zone with all staged changes; undefined when it does not exist. */
  digestOf(zoneId: string): number | undefined {
    const { ids, zones, nodes, blocks } = this.#core;
    const data = ids.get(zoneId);
    if (data === undefined) return undefined;
    const soa = nodes.find(blocks.memory.word(data, dataApex), TypeCode.SOA)!;
    const link = this.#linkedZones.targetOf(zoneId, data);
    const state = link ? 0 : zones.stateOf(data);
    return this.#sums.digestOf(blocks.memory.word(data, dataNumber), { soa, state, link });
  }

  /** Stops answers from the zone, or allows them again; `putContents` also allows them. */
  setShut(zoneId: string, shut: boolean): void {
    const { ids, zones, key } = this.#core;
    const data = ids.get(zoneId);
    if (data === undefined) return;
    zones.load(data, key);
    zones.setShut(data, key, shut);
  }

  /** Makes everything staged since the last commit visible at once. */
  commit(): void {
    // a change set contains the zones of its records: the remaining records have none
    this.#zoneless.clear();
    this.#core.commit();
  }

  /**
   * Does a step of the background work: frees replaced blocks and releases unused memory. Must not be called between
   * changes and their commit. `most` is the approximate number of blocks visited. Returns false when there is nothing to
   * do until readers advance or the image changes.
   */
  tidy(most: number): boolean {
    return this.#core.tidy(most);
  }

  /** Upper bound of the zones' numbers, exclusive. */
  zoneNumbers(): number {
    return this.#core.zones.numbers.count;
  }

  /** Name of the zone with this number, as the API writes it; undefined when it is gone. */
  zoneName(number: number): string | undefined {
    const data = this.#core.zones.numbers.dataOf(number);
    return data === 0 ? undefined : this.#core.zones.nameOf(data);
  }

  /** The zones with the most RRsets, the largest first. */
  largest(count: number): readonly { readonly zone: string; readonly records: number }[] {
    const { zones, blocks } = this.#core;
    const largest: { data: number; records: number }[] = [];
    for (const data of zones.all()) {
      const records = blocks.memory.word(data, dataRecords);
      if (largest.length === count && records <= largest.at(-1)!.records) continue;
      largest.push({ data, records });
      largest.sort((a, b) => b.records - a.records);
      if (largest.length > count) largest.pop();
    }
    return largest.map(({ data, records }) => ({ zone: this.#core.zones.nameOf(data), records }));
  }

  stats(): ImageStats {
    return { ...this.#core.stats(), records: this.#records };
  }

  /** Inserts a zone with the name in `key`, in place of an earlier zone with that name in the same view. */
  #insert(zone: ImageZone): number {
    const view = this.#viewOf(zone.view);
    const taken = this.#core.zones.find(view, this.#core.key);
    if (taken !== 0) this.removeZone(this.#core.zones.idOf(taken));
    const account = this.#accountOf(zone.account_id);
    const data = this.#core.zones.insert({ id: zone.id, view, account, key: this.#core.key, state: zone });
    this.#core.ids.insert(zone.id, data);
    this.#sums.set(this.#core.blocks.memory.word(data, dataNumber));
    return data;
  }

  #accountOf(id: string): number {
    const number = this.#accounts.get(id) ?? this.#accounts.size + 1;
    this.#accounts.set(id, number);
    return number;
  }

  #state(): ImageState {
    return {
      format: this.#format,
      ...this.#core.state(),
      views: [...this.#views],
      accounts: [...this.#accounts.keys()],
      waiting: this.#linkedZones.waiting(),
      zoneNumbers: this.#core.zones.numbers.count,
      records: this.#records,
      sums: this.#sums.state(this.#core.zones.numbers.count),
      recipes: this.#lastSteered,
    };
  }

  #put(data: number, domain: string, rrset: Rrset): void {
    this.#note(data, this.#core.nodes.put(this.#ownerOf(data, domain), rrset), rrset);
  }

  /** `key` is loaded with the apex name. */
  #putSoa(data: number, soa: Rrset): void {
    this.#core.key.fold(data, 0);
    this.#core.nodes.put({ data, key: this.#core.key, apex: 0 }, soa);
  }

  #ownerOf(data: number, domain: string): Owner {
    const key = this.#core.key;
    key.load(nameFromApi(domain), 0);
    this.#core.zones.load(data, this.#core.apexKey);
    return this.#belowApex(data);
  }

  /** The owner in `key`, in the zone with the apex in `apexKey`. */
  #belowApex(data: number): Owner {
    const { key, apexKey } = this.#core;
    const apex = key.labels - apexKey.labels;
    if (apex < 0 || !key.sameFrom(apex, apexKey, 0)) {
      const domain = nameToApi(key.octets.slice(0, key.length));
      throw invalid(`"${domain}" is not in the zone of its record`, { field: "domain" });
    }
    key.fold(data, apex);
    return { data, key, apex };
  }

  /** Counts the RRset that was put or removed at the name in `key`, and adds it to the zone's sum. */
  #note(data: number, former: Part | undefined, rrset: Rrset | undefined): void {
    const { memory } = this.#core.blocks;
    this.#sums.replace(memory.word(data, dataNumber), this.#core.key, former, rrset);
    const step = (rrset ? 1 : 0) - (former ? 1 : 0);
    if (step === 0) return;
    memory.setWord(data, dataRecords, memory.word(data, dataRecords) + step);
    this.#records += step;
  }

  #viewOf(name: string): number {
    const known = this.#views.indexOf(name);
    return known < 0 ? this.#views.push(name) - 1 : known;
  }
}
