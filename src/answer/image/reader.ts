/** A reader of the image: pins a revision for a batch of queries, and sees exactly that revision. */
import { NameKey } from "./memory/key.ts";
import {
  blockLabels,
  blockMade,
  blockPrevious,
  blockShape,
  dataCuts,
  dataNumber,
  directoryWords,
  entryAccount,
  entryData,
  entryTarget,
  flagAbsent,
  headerFormat,
  headerMultiplier,
  headerNodeTable,
  headerPins,
  headerSeed,
  headerVisible,
  headerZoneTable,
  imageFormat,
  labelsShift,
  readerSlots,
  rrsetAsAddress,
  rrsetFlagsShift,
  rrsetOctets,
  rrsetsShift,
  slotAddress,
  unitBits,
  wordsPerPin,
} from "./memory/layout.ts";
import { ImageMemory, wordAt } from "./memory/memory.ts";
import { probe } from "./memory/probe.ts";
import type { ImageShare } from "./memory/share.ts";
import type { RrsetView } from "./rrset/view.ts";

export class ImageReader {
  /** Index of the label at which the apex of the zone that was found last begins. */
  apex = 0;
  /** Holds the target name of a linked record. */
  readonly target: NameKey;
  readonly #header: Int32Array;
  readonly #memory: ImageMemory;
  readonly #pin: number;
  readonly #refresh: () => void;
  #revision = 0;
  #nodes: Int32Array = new Int32Array(0);
  #nodesNumber = 0;
  #zones: Int32Array = new Int32Array(0);
  #zonesNumber = 0;

  /**
   * `slot`, 0 to 63, must be unique to this reader. `refresh` is called when the image has segments or tables that this
   * reader did not receive yet; before it returns, it must call `update` with the shares that the writer announced.
   */
  constructor(share: ImageShare, slot: number, refresh: () => void = () => undefined) {
    if (slot < 0 || slot >= readerSlots) throw new RangeError(`an image has reader slots 0 to ${readerSlots - 1}`);
    this.#header = new Int32Array(share.header);
    const format = this.#header[headerFormat];
    if (format !== imageFormat)
      throw new Error(`an image of format ${format} cannot be read; the format must be ${imageFormat}`);
    this.#memory = new ImageMemory(refresh);
    this.#refresh = refresh;
    this.#pin = headerPins + slot * wordsPerPin;
    this.target = this.key();
    this.update(share);
  }

  /** Applies a share that the writer announced. */
  update(share: ImageShare): void {
    for (const { segment, octets } of share.segments) this.#memory.add(segment, octets);
    // a delayed share must not replace a newer table
    if (((share.nodes.number - this.#nodesNumber) | 0) > 0) {
      this.#nodes = new Int32Array(share.nodes.slots);
      this.#nodesNumber = share.nodes.number;
    }
    if (((share.zones.number - this.#zonesNumber) | 0) > 0) {
      this.#zones = new Int32Array(share.zones.slots);
      this.#zonesNumber = share.zones.number;
    }
  }

  /** Pins the visible revision, which stays complete and unchanged until `leave`. */
  enter(): void {
    let visible = Atomics.load(this.#header, headerVisible);
    for (;;) {
      Atomics.store(this.#header, this.#pin, visible);
      const again = Atomics.load(this.#header, headerVisible);
      if (again === visible) break;
      visible = again;
    }
    this.#revision = visible;
    while (this.#isBehind()) {
      const delivered = this.#nodesNumber + this.#zonesNumber;
      this.#refresh();
      // in a loop, because the image may have grown again meanwhile
      if (delivered === this.#nodesNumber + this.#zonesNumber) throw new Error("the image's tables were not delivered");
    }
  }

  leave(): void {
    Atomics.store(this.#header, this.#pin, 0);
  }

  /** An empty name to look up in this image. */
  key(): NameKey {
    return new NameKey(this.#header[headerSeed]!, this.#header[headerMultiplier]!);
  }

  /** Entry of the zone with the longest apex at or above label `from` of the name; 0 when there is none. */
  findZone(view: number, key: NameKey, from: number): number {
    const root = key.labels;
    key.fold(view, root);
    for (let label = from; label <= root; label++) {
      const at = key.starts[label]!;
      const newest = probe(this.#memory, this.#zones, key.folds[label]!, view, key.octets, at, key.starts[root]! - at);
      const entry = this.#visible(newest);
      if (entry === 0) continue;
      this.apex = label;
      return entry;
    }
    return 0;
  }

  /** Address of the data used for answers: for a linked zone, the data of its target. */
  dataOf(entry: number): number {
    return this.#memory.word(entry, entryTarget) || this.#memory.word(entry, entryData);
  }

  /** Whether the zone is answered from the data of another zone. */
  isLinked(entry: number): boolean {
    return this.#memory.word(entry, entryTarget) !== 0;
  }

  /** The number of the account that the zone belongs to. */
  accountOf(entry: number): number {
    return this.#memory.word(entry, entryAccount);
  }

  /** The number under which queries for the zone with this entry are counted. */
  numberOf(entry: number): number {
    return this.#memory.word(this.#memory.word(entry, entryData), dataNumber);
  }

  /** Whether any name of the zone may be a zone cut or have a DNAME. */
  hasCuts(data: number): boolean {
    return this.#memory.word(data, dataCuts) !== 0;
  }

  /** The node at label `label` of a name that was folded below this data at `apex`; 0 when the name does not exist. */
  findNode(data: number, key: NameKey, label: number, apex: number): number {
    const at = key.starts[label]!;
    const length = key.starts[apex]! - at;
    return this.#visible(probe(this.#memory, this.#nodes, key.folds[label]!, data, key.octets, at, length));
  }

  /** The node with these label octets below the apex, in lower case and folded to `hash`. */
  findLabels(data: number, hash: number, octets: Uint8Array, at: number, length: number): number {
    return this.#visible(probe(this.#memory, this.#nodes, hash, data, octets, at, length));
  }

  /** The node of label `*` directly below the name at `label`. */
  findWildcard(data: number, key: NameKey, label: number, apex: number): number {
    const at = key.starts[label]!;
    const length = key.starts[apex]! - at;
    for (let i = 0; i < length; i++) wildcard[asteriskOctets + i] = key.octets[at + i]!;
    const hash = key.foldWildcard(label);
    return this.#visible(probe(this.#memory, this.#nodes, hash, data, wildcard, 0, asteriskOctets + length));
  }

  /**
   * Reads the memory in which the nodes with these hashes probably are, so that it is in the processor's cache. The
   * result has no meaning: it depends on every read, so that the compiler omits none.
   */
  readAhead(hashes: Int32Array, count: number): number {
    const slots = this.#nodes;
    const mask = slots.length - 1;
    for (let i = 0; i < count; i++) ahead[i] = slots[((hashes[i]! << 1) & mask) + slotAddress]!;
    let read = 0;
    for (let i = 0; i < count; i++) {
      const words = this.#memory.words[ahead[i]! >>> unitBits];
      if (!words) continue;
      const at = wordAt(ahead[i]!);
      read ^= words[at]! ^ words[Math.min(at + commonWords, words.length) - 1]!;
    }
    return read;
  }

  has(block: number, flag: number): boolean {
    return (this.#memory.word(block, blockShape) & flag) !== 0;
  }

  /** Octets of a node's own labels, without the labels of the zone's apex. */
  labelOctets(node: number): number {
    return this.#memory.word(node, blockShape) >>> labelsShift;
  }

  /** Number of a node's RRsets. */
  rrsets(node: number): number {
    return (this.#memory.word(node, blockShape) >>> rrsetsShift) & 0xff;
  }

  /** Shows the RRset of a type in `view`; false when there is none, or it has no records. */
  find(node: number, type: number, view: RrsetView): boolean {
    return this.#search(node, 0, 0xffff, type, view);
  }

  /** Shows the RRset that answers address queries with the addresses of its target. */
  findAsAddress(node: number, view: RrsetView): boolean {
    const flag = rrsetAsAddress << rrsetFlagsShift;
    return this.#search(node, 1, flag, flag, view);
  }

  /** Shows a node's RRset by its index in the directory, which is sorted by type. */
  show(node: number, index: number, view: RrsetView): void {
    const words = this.#memory.wordsOf(node);
    const first = directoryAt(words, wordAt(node));
    const entry = first + index * directoryWords;
    let at = (first + this.rrsets(node) * directoryWords) << 2;
    for (let before = first; before < entry; before += directoryWords) at += rrsetOctets(words[before + 1]!);
    const head = words[entry]!;
    const tail = words[entry + 1]!;
    view.octets = this.#memory.octetsOf(node);
    view.at = at;
    view.end = at + rrsetOctets(tail);
    view.type = head & 0xffff;
    view.count = head >>> 16;
    view.flags = tail >>> rrsetFlagsShift;
    view.ttl = -1;
  }

  /** Shows the first RRset whose directory word `word`, masked with `mask`, equals `value`. */
  #search(node: number, word: number, mask: number, value: number, view: RrsetView): boolean {
    const words = this.#memory.wordsOf(node);
    const first = directoryAt(words, wordAt(node));
    const count = this.rrsets(node);
    for (let i = 0; i < count; i++) {
      if ((words[first + i * directoryWords + word]! & mask) !== value) continue;
      this.show(node, i, view);
      return view.count > 0;
    }
    return false;
  }

  /** The newest version up to the pinned revision; 0 when there is none, or it marks the name as absent. */
  #visible(newest: number): number {
    for (let block = newest; block !== 0; ) {
      const words = this.#memory.wordsOf(block);
      const at = wordAt(block);
      const made = words[at + blockMade]!;
      if (made === 0 || ((made - this.#revision) | 0) <= 0) {
        return (words[at + blockShape]! & flagAbsent) === 0 ? block : 0;
      }
      block = words[at + blockPrevious]!;
    }
    return 0;
  }

  /** A reader may be ahead, since a table is announced before it is the current one. */
  #isBehind(): boolean {
    return (
      ((Atomics.load(this.#header, headerNodeTable) - this.#nodesNumber) | 0) > 0 ||
      ((Atomics.load(this.#header, headerZoneTable) - this.#zonesNumber) | 0) > 0
    );
  }
}

/** Index of the first directory word of the node at `block`. */
const directoryAt = (words: Int32Array, block: number) =>
  block + blockLabels + (((words[block + blockShape]! >>> labelsShift) + 3) >>> 2);

/** Approximate size of a node with one address, in words. */
const commonWords = 16;
/** The addresses that `readAhead` reads: a batch has at most 64 names. */
const ahead = new Int32Array(64);

/** Scratch memory: the label `*`, then the labels of the name above it. */
const wildcard = Uint8Array.from({ length: 2 + 255 }, (_, i) => [1, 42][i] ?? 0);
const asteriskOctets = 2;
