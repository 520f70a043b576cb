/** All records of a zone on their way to the edges: in wire format, in parts that fit into memory. */
import { createHash } from "node:crypto";
import { StreamBroken } from "./subscription.ts";

/** The records of one type at one name, without steering. */
export interface PlainRecord {
  /** In wire format, lower case. */
  readonly owner: Uint8Array;
  readonly type: number;
  readonly ttl: number;
  /** Distinct RDATA, without compression. */
  readonly rdata: readonly Uint8Array[];
}

/** Identifies stored parts: a follower fetches them by id and number, and verifies the checksum. */
export interface ContentsReference {
  readonly id: string;
  /** Number of parts; the first is part 0. */
  readonly parts: number;
  readonly records: number;
  /** SHA-256 of all parts one after the other, hex. */
  readonly checksum: string;
}

const firstOctets = 64 * 1024;

/** Composes one part after another. */
export class PartWriter {
  /** Number of records in the current part. */
  records = 0;
  #octets = Buffer.allocUnsafe(firstOctets);
  #at = 0;

  get length(): number {
    return this.#at;
  }

  add({ owner, type, ttl, rdata }: PlainRecord): void {
    this.#need(owner.length + 9 + rdata.reduce((sum, each) => sum + each.length + 2, 0));
    const octets = this.#octets;
    let at = octets.writeUInt8(owner.length, this.#at);
    octets.set(owner, at);
    at = octets.writeUInt16BE(type, at + owner.length);
    at = octets.writeUInt32BE(ttl, at);
    at = octets.writeUInt16BE(rdata.length, at);
    for (const each of rdata) {
      at = octets.writeUInt16BE(each.length, at);
      octets.set(each, at);
      at += each.length;
    }
    this.#at = at;
    this.records++;
  }

  /** Returns a copy of the part, which the caller owns; the next record begins a new part. */
  take(): Uint8Array<ArrayBuffer> {
    const part = new Uint8Array(this.#at);
    part.set(this.#octets.subarray(0, this.#at));
    this.#at = 0;
    this.records = 0;
    return part;
  }

  #need(octets: number): void {
    if (this.#at + octets <= this.#octets.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#octets.length * 2, this.#at + octets));
    larger.set(this.#octets.subarray(0, this.#at));
    this.#octets = larger;
  }
}

/** Yields the records of a part, whose octets stay in the memory of the part. */
export function* readPart(part: Uint8Array): Generator<PlainRecord> {
  const view = new DataView(part.buffer, part.byteOffset, part.length);
  for (let at = 0; at < part.length; ) {
    const length = view.getUint8(at);
    const owner = part.subarray(at + 1, at + 1 + length);
    at += 1 + length;
    const [type, ttl, count] = [view.getUint16(at), view.getUint32(at + 2), view.getUint16(at + 6)];
    at += 8;
    const rdata: Uint8Array[] = [];
    for (let i = 0; i < count; i++) {
      const octets = view.getUint16(at);
      rdata.push(part.subarray(at + 2, at + 2 + octets));
      at += 2 + octets;
    }
    yield { owner, type, ttl, rdata };
  }
}

/** The hash for the checksum of parts. */
export const partsHash = () => createHash("sha256");

/** Fetches all parts, one at a time. Throws `StreamBroken` when a part is missing or the checksum is wrong. */
export async function* verifiedParts(
  { id, parts, checksum }: ContentsReference,
  fetch: (part: number) => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  const hash = partsHash();
  for (let number = 0; number < parts; number++) {
    const part = await fetch(number);
    if (!part) throw new StreamBroken(`part ${number} of load ${id} is gone`);
    hash.update(part);
    yield part;
  }
  if (hash.digest("hex") !== checksum) {
    throw new StreamBroken(`load ${id} is damaged: its checksum is not the one that was announced`);
  }
}
