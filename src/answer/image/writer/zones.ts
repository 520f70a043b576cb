/** The writer's zones: entries by view and apex name, each with the address of its zone's data. */
import { nameToApi } from "../../../dns/wire/name.ts";
import type { Blocks } from "../memory/blocks.ts";
import type { NameKey } from "../memory/key.ts";
import {
  blockKey,
  blockLabels,
  blockShape,
  dataApex,
  dataEntry,
  dataId,
  dataIdOctets,
  dataLinkBack,
  dataLinkNext,
  dataLinks,
  dataNumber,
  emptySlot,
  entryAccount,
  entryData,
  entryTarget,
  flagAbsent,
  flagClosed,
  flagData,
  flagDisabled,
  flagEntry,
  flagExpired,
  flagHidden,
  flagShut,
  slotAddress,
  slotWords,
  vacatedSlot,
} from "../memory/layout.ts";
import { octetAt } from "../memory/memory.ts";
import type { Table } from "../memory/table.ts";
import { digestedState } from "../rrset/digest.ts";
import type { ImageZone } from "../rrset/source.ts";
import { ZoneNumbers } from "./numbers.ts";

export class Zones {
  readonly numbers = new ZoneNumbers(() => this.#numbered());
  readonly #blocks: Blocks;
  readonly #table: Table;
  readonly #nameKey: NameKey;

  /** `nameKey` is a scratch key for names. */
  constructor(blocks: Blocks, table: Table, nameKey: NameKey) {
    this.#blocks = blocks;
    this.#table = table;
    this.#nameKey = nameKey;
  }

  /** Inserts a zone without nodes. Returns the address of the data. */
  insert({ id, view, account, key, state }: NewZone): number {
    const data = this.insertData(id);
    this.#blocks.memory.setWord(data, dataNumber, this.numbers.take(data));
    this.#put({ view, account }, key, data, flagsOf(state));
    return data;
  }

  /** Allocates the data of a zone, without nodes or entry. */
  insertData(id: string): number {
    const octets = new TextEncoder().encode(id);
    const data = this.#blocks.allocateFixed((dataId * 4 + octets.length + 7) >>> 3, flagData);
    const { memory } = this.#blocks;
    for (let word = dataApex; word < dataIdOctets; word++) memory.setWord(data, word, 0);
    memory.setWord(data, dataIdOctets, octets.length);
    memory.octetsOf(data).set(octets, octetAt(data) + dataId * 4);
    return data;
  }

  /** Gives the zone other data; the old data and nodes are freed when no reader is at an earlier revision. */
  replaceData(old: number, data: number, key: NameKey): void {
    const { memory } = this.#blocks;
    const entry = memory.word(old, dataEntry);
    const flags = memory.word(entry, blockShape) & flagsOfState;
    const number = memory.word(old, dataNumber);
    memory.setWord(data, dataNumber, number);
    this.numbers.move(number, data);
    this.#put(this.#placeOf(entry), key, data, flags, memory.word(entry, entryTarget));
    const links = this.linksTo(old);
    for (const link of links) this.unlink(link);
    for (const link of links) this.link(link, data);
    this.discard(old);
  }

  /** Answers the zone from the target's data until it is unlinked. */
  link(data: number, target: number): void {
    const { memory } = this.#blocks;
    const first = memory.word(target, dataLinks);
    memory.setWord(data, dataLinkNext, first);
    memory.setWord(data, dataLinkBack, target);
    if (first !== 0) memory.setWord(first, dataLinkBack, data);
    memory.setWord(target, dataLinks, data);
    this.#setTarget(data, target);
  }

  /** Answers from the zone's own data again; no effect on a zone that is not linked. */
  unlink(data: number): void {
    const { memory } = this.#blocks;
    const back = memory.word(data, dataLinkBack);
    if (back === 0) return;
    const next = memory.word(data, dataLinkNext);
    memory.setWord(back, memory.word(back, dataLinks) === data ? dataLinks : dataLinkNext, next);
    if (next !== 0) memory.setWord(next, dataLinkBack, back);
    memory.setWord(data, dataLinkNext, 0);
    memory.setWord(data, dataLinkBack, 0);
    this.#setTarget(data, 0);
  }

  /** Data of the zones linked to the zone with this data. */
  linksTo(target: number): number[] {
    const { memory } = this.#blocks;
    const links: number[] = [];
    for (let data = memory.word(target, dataLinks); data !== 0; data = memory.word(data, dataLinkNext))
      links.push(data);
    return links;
  }

  /** Answers REFUSED for a linked zone without a target, until it is linked to one. */
  refuse(data: number): void {
    this.#setTarget(data, 0, flagClosed);
  }

  /** `untargeted` are the flags of a zone without a target. */
  #setTarget(data: number, target: number, untargeted = 0): void {
    const { memory } = this.#blocks;
    const entry = memory.word(data, dataEntry);
    const inherited =
      target === 0
        ? untargeted
        : memory.word(memory.word(target, dataEntry), blockShape) & (flagClosed | flagExpired | flagHidden | flagShut);
    const flags = (memory.word(entry, blockShape) & flagDisabled) | inherited;
    this.load(data, this.#nameKey);
    this.#put(this.#placeOf(entry), this.#nameKey, data, flags, target);
  }

  /** Removes data that no entry has any longer. */
  discard(data: number): void {
    this.#blocks.mark(data, flagAbsent);
    this.#blocks.stage(data);
  }

  /** The id that the zone with this data has in the store. */
  idOf(data: number): string {
    const { memory } = this.#blocks;
    const at = octetAt(data) + dataId * 4;
    // a copy: text cannot be decoded in shared memory
    return decoder.decode(memory.octetsOf(data).slice(at, at + memory.word(data, dataIdOctets)));
  }

  /** Name of the zone with this data, as the API writes it. */
  nameOf(data: number): string {
    this.load(data, this.#nameKey);
    return nameToApi(this.#nameKey.octets.subarray(0, this.#nameKey.length));
  }

  /** Whether a zone has this data; the address may be from a removed zone or from another image. */
  has(data: number): boolean {
    const { memory } = this.#blocks;
    if (!memory.holds(data) || !this.#blocks.has(data, flagData)) return false;
    const entry = memory.word(data, dataEntry);
    if (!memory.holds(entry) || !this.#blocks.has(entry, flagEntry)) return false;
    return memory.word(entry, entryData) === data && !this.#blocks.has(entry, flagAbsent);
  }

  /** Updates the flags of a zone's entry, which is replaced only if they differ. */
  update(data: number, key: NameKey, state: ZoneFlags): void {
    this.#setFlags(data, key, flagsOfState, flagsOf(state));
  }

  /** Stops answers from the zone's data, or allows them again. */
  setShut(data: number, key: NameKey, shut: boolean): void {
    this.#setFlags(data, key, flagShut, shut ? flagShut : 0);
  }

  /** Sets the flags in `mask` to `wanted`; the zones linked to this zone inherit them. */
  #setFlags(data: number, key: NameKey, mask: number, wanted: number): void {
    const { memory } = this.#blocks;
    const entry = memory.word(data, dataEntry);
    const flags = memory.word(entry, blockShape) & (flagsOfState | flagShut);
    if ((flags & mask) === wanted) return;
    this.#put(this.#placeOf(entry), key, data, (flags & ~mask) | wanted, memory.word(entry, entryTarget));
    for (const link of this.linksTo(data)) this.#setTarget(link, data);
  }

  /** Data of the zone with the name of `key`, or 0. */
  find(view: number, key: NameKey): number {
    key.fold(view, key.labels);
    const entry = this.#blocks.newest(this.#table, view, key, 0, key.labels);
    return entry === 0 || this.#blocks.has(entry, flagAbsent) ? 0 : this.#blocks.memory.word(entry, entryData);
  }

  /** Removes the zone; its data and nodes are freed when no reader is at an earlier revision. */
  remove(data: number, key: NameKey): void {
    const { memory } = this.#blocks;
    this.unlink(data);
    for (const link of this.linksTo(data)) this.unlink(link);
    this.numbers.free(memory.word(data, dataNumber));
    this.#put(this.#placeOf(memory.word(data, dataEntry)), key, data, flagAbsent);
    this.discard(data);
  }

  /** Replaces an entry with a copy at another address, if it is the newest version; `key` is a scratch key. */
  move(entry: number, key: NameKey): void {
    const { memory } = this.#blocks;
    this.#blocks.load(entry, key);
    const view = memory.word(entry, blockKey);
    if (this.#blocks.newest(this.#table, view, key, 0, key.labels) !== entry) return;
    const version = this.#blocks.copy(entry);
    memory.setWord(memory.word(entry, entryData), dataEntry, version);
    this.#blocks.put(this.#table, version, entry, key.folds[0]!);
  }

  /** Loads `key` with the apex name of the zone that has this data. */
  load(data: number, key: NameKey): void {
    this.#blocks.load(this.#blocks.memory.word(data, dataEntry), key);
  }

  /** Data of all zones. */
  *all(): Iterable<number> {
    const { slots } = this.#table;
    for (let slot = slotAddress; slot < slots.length; slot += slotWords) {
      const entry = slots[slot]!;
      if (entry === emptySlot || entry === vacatedSlot || this.#blocks.has(entry, flagAbsent)) continue;
      yield this.#blocks.memory.word(entry, entryData);
    }
  }

  *#numbered(): Iterable<readonly [number, number]> {
    for (const data of this.all()) yield [this.#blocks.memory.word(data, dataNumber), data];
  }

  /** Whether the zone with this data is answered from the data of another zone. */
  isLinked(data: number): boolean {
    return this.#blocks.memory.word(data, dataLinkBack) !== 0;
  }

  /** Data of the zone from which the zone with this data is answered; 0 for a zone that is not linked. */
  targetOf(data: number): number {
    const { memory } = this.#blocks;
    return memory.word(memory.word(data, dataEntry), entryTarget);
  }

  /** The state of an unlinked zone, as its digest covers it. */
  stateOf(data: number): number {
    const flags = this.#blocks.memory.word(this.#blocks.memory.word(data, dataEntry), blockShape);
    const has = (flag: number) => (flags & flag) !== 0;
    return digestedState({ disabled: has(flagClosed), expired: has(flagExpired), hidden: has(flagHidden) });
  }

  accountOf(data: number): number {
    return this.#placeOf(this.#blocks.memory.word(data, dataEntry)).account;
  }

  /** Puts all zones of a restored image into one account, because its format did not have accounts. */
  joinAccounts(): void {
    const { memory } = this.#blocks;
    for (const data of this.all()) memory.setWord(memory.word(data, dataEntry), entryAccount, 0);
  }

  #placeOf(entry: number): Place {
    const { memory } = this.#blocks;
    return { view: memory.word(entry, blockKey), account: memory.word(entry, entryAccount) };
  }

  #put({ view, account }: Place, key: NameKey, data: number, flags: number, target = 0): void {
    const length = key.length - 1;
    const units = (blockLabels * 4 + length + 7) >>> 3;
    key.fold(view, key.labels);
    const old = this.#blocks.newest(this.#table, view, key, 0, key.labels);
    const entry = this.#blocks.make(units, flagEntry | flags, view, key.octets, 0, length);
    this.#blocks.memory.setWord(entry, entryData, data);
    this.#blocks.memory.setWord(entry, entryTarget, target);
    this.#blocks.memory.setWord(entry, entryAccount, account);
    this.#blocks.put(this.#table, entry, old, key.folds[0]!);
    this.#blocks.memory.setWord(data, dataEntry, entry);
  }
}

/** The numbers of a zone's view and account. */
interface Place {
  readonly view: number;
  readonly account: number;
}

interface NewZone extends Place {
  readonly id: string;
  /** Loaded with the apex name. */
  readonly key: NameKey;
  readonly state: ZoneFlags;
}

/** The fields of a zone that determine the flags of its entry. */
type ZoneFlags = Pick<ImageZone, "disabled" | "elsewhere" | "expired" | "hidden" | "link">;

const flagsOfState = flagDisabled | flagClosed | flagExpired | flagHidden;

/** A disabled linked zone gets `flagDisabled` instead of `flagClosed`: it must not close its target's data. */
const flagsOf = ({ disabled, elsewhere, expired, hidden, link }: ZoneFlags) =>
  (elsewhere || (disabled && link) ? flagDisabled : 0) |
  (disabled && !link ? flagClosed : 0) |
  (expired ? flagExpired : 0) |
  (hidden ? flagHidden : 0);

const decoder = new TextDecoder();
