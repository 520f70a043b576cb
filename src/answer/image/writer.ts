/** The one writer of an image: stages zones and records, and makes them visible to every reader at once. */
import { TypeCode } from "../../dns/constants.ts";
import { nameFromApi, nameToApi } from "../../dns/name.ts";
import { typeNamed } from "../../dns/types.ts";
import { invalid } from "../../lib/problem.ts";
import { Allocator } from "./allocator.ts";
import { Blocks } from "./blocks.ts";
import { type ImageCopied, ImageCopy, type ImageState } from "./copy.ts";
import { DirtyChunks } from "./dirty.ts";
import { EarlyRecords } from "./early.ts";
import { ZoneIds } from "./ids.ts";
import { NameKey } from "./key.ts";
import {
  dataApex,
  dataRecords,
  headerFormat,
  headerMultiplier,
  headerNodeTable,
  headerSeed,
  headerVisible,
  headerWords,
  headerZoneTable,
  imageFormat,
  rrsetSteered,
} from "./layout.ts";
import { type MakeMemory, Memory, plainMemory } from "./memory.ts";
import { Nodes, type Owner } from "./nodes.ts";
import { Revisions } from "./revisions.ts";
import { type Rrset, rrsetOf } from "./rrset.ts";
import { Settling } from "./settling.ts";
import type { ImageShare, SegmentShare } from "./share.ts";
import { serialAt, soaOf } from "./soa.ts";
import type { ImageRecord, ImageZone } from "./source.ts";
import { setNumber } from "./steered.ts";
import { Table } from "./table.ts";
import { Zones } from "./zones.ts";

export interface ImageOptions {
  /** Two random numbers, so that nobody can craft names that collide. */
  readonly seed?: readonly [number, number];
  readonly makeMemory?: MakeMemory;
}

export interface ImageStats {
  readonly zones: number;
  /** RRsets, the zones' SOA records not counted. */
  readonly records: number;
  /** All shared memory. */
  readonly octets: number;
}

export class ImageWriter {
  readonly #header = new Int32Array(new SharedArrayBuffer(headerWords * Int32Array.BYTES_PER_ELEMENT));
  readonly #segments: SegmentShare[] = [];
  readonly #listeners: ((share: ImageShare) => void)[] = [];
  readonly #revisions = new Revisions(this.#header);
  readonly #allocator: Allocator;
  readonly #blocks: Blocks;
  readonly #nodeTable: Table;
  readonly #zoneTable: Table;
  readonly #nodes: Nodes;
  readonly #zones: Zones;
  readonly #settling: Settling;
  readonly #key: NameKey;
  readonly #apexKey: NameKey;
  /** Zone id -> address of its data. */
  #ids = new ZoneIds(0, () => []);
  /** Numbers of the views by name; every client is in view 0 until something chooses another. */
  readonly #views: string[] = [];
  readonly #early = new EarlyRecords();
  #records = 0;
  /** Number of the last recipe. */
  #recipes = 0;

  static create(options: ImageOptions = {}): ImageWriter {
    const [seed = 0, multiplier = 0] = options.seed ?? crypto.getRandomValues(new Uint32Array(2));
    return new ImageWriter(seed, multiplier, options.makeMemory ?? plainMemory);
  }

  /** Goes on with the copy of another image, whose memory becomes this one's. */
  static restore({ state, regions }: ImageCopied, makeMemory: MakeMemory = plainMemory): ImageWriter {
    if (state.format !== imageFormat) throw new Error(`an image of format ${state.format}, not ${imageFormat}`);
    const image = new ImageWriter(state.seed, state.multiplier, makeMemory);
    image.#restore(state, regions);
    return image;
  }

  private constructor(seed: number, multiplier: number, makeMemory: MakeMemory) {
    this.#header[headerFormat] = imageFormat;
    this.#header[headerSeed] = seed;
    this.#header[headerMultiplier] = multiplier | 1;
    this.#header[headerNodeTable] = 1;
    this.#header[headerZoneTable] = 1;
    this.#key = new NameKey(this.#header[headerSeed], this.#header[headerMultiplier]);
    this.#apexKey = new NameKey(this.#header[headerSeed], this.#header[headerMultiplier]);
    const memory = new Memory(() => undefined);
    this.#allocator = new Allocator(memory, (segment, octets) => this.#addSegment({ segment, octets }), makeMemory);
    this.#blocks = new Blocks(memory, this.#allocator, this.#revisions);
    this.#nodeTable = new Table(() => this.#publishTable(headerNodeTable, this.#nodeTable), makeMemory, 0);
    this.#zoneTable = new Table(() => this.#publishTable(headerZoneTable, this.#zoneTable), makeMemory, 1);
    this.#nodes = new Nodes(this.#blocks, this.#nodeTable);
    this.#zones = new Zones(this.#blocks, this.#zoneTable);
    const tables = { nodes: this.#nodeTable, zones: this.#zoneTable };
    this.#settling = new Settling(this.#blocks, this.#nodes, this.#zones, tables, this.#key);
  }

  /** Everything a new reader needs. */
  share(): ImageShare {
    return this.#shareOf(this.#segments);
  }

  /**
   * Called with what is new before any reader can meet it. A reader that meets it all the same, because the message is
   * still in its queue, asks for it: see ImageReader.
   */
  onGrow(listener: (share: ImageShare) => void): void {
    this.#listeners.push(listener);
  }

  /** Begins a copy; to be ended before the next one. Its `finish` must not come between changes and their commit. */
  copy(): ImageCopy {
    const dirty = new DirtyChunks();
    const track = (to: DirtyChunks | undefined) => {
      for (const part of [this.#blocks.memory, this.#nodeTable, this.#zoneTable]) part.dirty = to;
    };
    track(dirty);
    return new ImageCopy({
      dirty,
      regions: () => {
        const segments = this.#segments.map(({ octets }) => octets);
        return [this.#nodeTable.slots.buffer, this.#zoneTable.slots.buffer, ...segments];
      },
      used: () => (this.#segments.length > 0 ? this.#allocator.used() : this.#zoneTable.slots.byteLength),
      state: () => this.#state(),
      end: () => track(undefined),
    });
  }

  putZone(zone: ImageZone, serial: number): void {
    const soa = soaOf(zone, serial);
    this.#key.load(nameFromApi(zone.zone), 0);
    const known = this.#ids.get(zone.id);
    if (known !== undefined) this.#zones.update(known, this.#key, zone.disabled);
    const data = known ?? this.#insert(zone);
    this.#putSoa(data, soa);
    for (const { domain, rrset } of this.#early.take(zone.id)) this.#put(data, domain, rrset);
  }

  setSerial(zoneId: string, serial: number): void {
    const data = this.#ids.get(zoneId);
    if (data === undefined) return;
    const apex = this.#blocks.memory.word(data, dataApex);
    const soa = this.#nodes.find(apex, TypeCode.SOA)!;
    const octets = soa.source.slice(soa.at, soa.at + soa.octets);
    new DataView(octets.buffer).setUint32(serialAt(octets.length), serial);
    if (this.#blocks.isStaged(apex)) {
      soa.source.set(octets, soa.at);
    } else {
      this.#zones.load(data, this.#key);
      this.#putSoa(data, { ...soa, octets });
    }
  }

  removeZone(zoneId: string): void {
    this.#early.take(zoneId);
    const data = this.#ids.get(zoneId);
    if (data === undefined) return;
    this.#zones.load(data, this.#key);
    this.#zones.remove(data, this.#key);
    this.#ids.delete(zoneId);
    this.#records -= this.#blocks.memory.word(data, dataRecords);
  }

  /** Throws a Problem, and changes nothing, when the record cannot be served. */
  putRecord(record: ImageRecord): void {
    const { zone_id, domain } = record;
    const rrset = rrsetOf(record);
    // The SOA record is the zone's own; what only redirects is not DNS data
    if (!rrset || rrset.type === TypeCode.SOA) return;
    if ((rrset.flags & rrsetSteered) !== 0) setNumber(rrset, ++this.#recipes);
    const data = this.#ids.get(zone_id);
    if (data !== undefined) this.#put(data, domain, rrset);
    else this.#early.add(zone_id, domain, rrset);
  }

  removeRecord(zoneId: string, domain: string, type: string): void {
    const data = this.#ids.get(zoneId);
    const code = typeNamed(type)?.code;
    if (code === undefined || code === TypeCode.SOA) return;
    this.#early.remove(zoneId, domain, code);
    if (data === undefined) return;
    if (this.#nodes.remove(this.#ownerOf(data, domain), code)) this.#count(data, -1);
  }

  /** Everything staged since the last commit becomes visible at once. */
  commit(): void {
    // A change set holds the zones of its records, so what waits for a zone now waits for nothing
    this.#early.clear();
    this.#revisions.publish();
    this.#settle();
  }

  /** The zones' numbers lie below. */
  zoneNumbers(): number {
    return this.#zones.numbers.count;
  }

  /** Name of the zone with this number, as the API writes it; undefined when it is gone. */
  zoneName(number: number): string | undefined {
    const data = this.#zones.numbers.dataOf(number);
    if (data === 0) return undefined;
    this.#zones.load(data, this.#apexKey);
    return nameToApi(this.#apexKey.octets.subarray(0, this.#apexKey.length));
  }

  stats(): ImageStats {
    const tables = this.#nodeTable.slots.byteLength + this.#zoneTable.slots.byteLength;
    return {
      zones: this.#ids.size,
      records: this.#records,
      octets: this.#header.byteLength + tables + this.#allocator.octets,
    };
  }

  /** The zone of `key`'s name; of two zones with one name in one view the later one is served. */
  #insert(zone: ImageZone): number {
    const view = this.#viewOf(zone.view);
    const taken = this.#zones.find(view, this.#key);
    if (taken !== 0) this.removeZone(this.#zones.idOf(taken));
    const data = this.#zones.insert(zone.id, view, this.#key, zone.disabled);
    this.#ids.set(zone.id, data);
    return data;
  }

  #state(): ImageState {
    return {
      format: imageFormat,
      seed: this.#header[headerSeed]!,
      multiplier: this.#header[headerMultiplier]!,
      visible: Atomics.load(this.#header, headerVisible),
      pending: this.#revisions.pending(),
      nodes: this.#nodeTable.state(),
      zones: this.#zoneTable.state(),
      allocator: this.#allocator.state(),
      views: [...this.#views],
      zoneCount: this.#ids.size,
      zoneNumbers: this.#zones.numbers.count,
      records: this.#records,
      recipes: this.#recipes,
    };
  }

  #restore(state: ImageState, [nodes, zones, ...segments]: readonly SharedArrayBuffer[]): void {
    this.#nodeTable.restore(state.nodes, nodes!);
    this.#zoneTable.restore(state.zones, zones!);
    this.#allocator.restore(state.allocator, segments);
    this.#views.push(...state.views);
    this.#zones.numbers.count = state.zoneNumbers;
    this.#ids = new ZoneIds(state.zoneCount, () => this.#zones.ids());
    this.#records = state.records;
    this.#recipes = state.recipes;
    this.#revisions.restore(state.visible, state.pending);
    // nobody reads yet
    this.#settle();
  }

  #put(data: number, domain: string, rrset: Rrset): void {
    if (this.#nodes.put(this.#ownerOf(data, domain), rrset)) this.#count(data, 1);
  }

  /** `key` is loaded with the apex name. */
  #putSoa(data: number, soa: Rrset): void {
    this.#key.fold(data, 0);
    this.#nodes.put({ data, key: this.#key, apex: 0 }, soa);
  }

  #ownerOf(data: number, domain: string): Owner {
    const key = this.#key;
    key.load(nameFromApi(domain), 0);
    this.#zones.load(data, this.#apexKey);
    const apex = key.labels - this.#apexKey.labels;
    if (apex < 0 || !key.sameFrom(apex, this.#apexKey, 0)) {
      throw invalid(`"${domain}" does not lie in the zone of its record`, { field: "domain" });
    }
    key.fold(data, apex);
    return { data, key, apex };
  }

  #settle(): void {
    this.#revisions.settle((address, retire) => this.#settling.settle(address, retire));
  }

  #count(data: number, step: number): void {
    const { memory } = this.#blocks;
    memory.setWord(data, dataRecords, memory.word(data, dataRecords) + step);
    this.#records += step;
  }

  #viewOf(name: string): number {
    const known = this.#views.indexOf(name);
    return known < 0 ? this.#views.push(name) - 1 : known;
  }

  #addSegment(segment: SegmentShare): void {
    this.#segments.push(segment);
    this.#announce([segment]);
  }

  #publishTable(word: number, table: Table): void {
    this.#announce([]);
    Atomics.store(this.#header, word, table.number);
  }

  #announce(segments: readonly SegmentShare[]): void {
    for (const listener of this.#listeners) listener(this.#shareOf(segments));
  }

  #shareOf(segments: readonly SegmentShare[]): ImageShare {
    const shareOf = ({ number, slots }: Table) => ({ number, slots: slots.buffer });
    return {
      header: this.#header.buffer,
      nodes: shareOf(this.#nodeTable),
      zones: shareOf(this.#zoneTable),
      segments: [...segments],
    };
  }
}
