/** Composes records without steering for a load, slice by slice: as rows of the store and as parts for edges. */

import { rdataToApi } from "../../../dns/rdata/codec.ts";
import type { RecordType } from "../../../dns/rdata/record-type.ts";
import type { Name } from "../../../dns/wire/name.ts";
import { newId } from "../../../lib/ids.ts";
import { type LoadHead, type LoadSlice, rowHead } from "../../../storage/loads.ts";
import { PartWriter } from "../../../sync/contents.ts";

/** All records of one type at one name, which become the answers of one record. */
export interface PlainRrset {
  /** In lower case. */
  readonly owner: Name;
  /** The owner in the API's spelling. */
  readonly domain: string;
  readonly type: RecordType;
  readonly ttl: number;
  /** Without duplicates. */
  readonly rdata: readonly Uint8Array[];
}

const mostRecords = 5000;
const mostOctets = 256 * 1024;
const firstOctets = 2 ** 20;
/** The most octets of UTF-8 for one UTF-16 unit of a string. */
const octetsOfCharacter = 3;

export class SliceWriter {
  readonly #head: string;
  readonly #part = new PartWriter();
  #rows = Buffer.allocUnsafe(firstOctets);
  #length = 0;

  constructor(head: LoadHead) {
    this.#head = rowHead(head);
  }

  /** Adds an RRset. Its owner and type must not have been added before. */
  add({ owner, domain, type, ttl, rdata }: PlainRrset): void {
    const now = Date.now();
    const answers = rdata.map((octets) => ({ answer: rdataToApi(type, octets), id: newId(now) }));
    const texts = `${escaped(domain)}\t${type.name}\t${newId(now)}\t${ttl}\t${escaped(JSON.stringify(answers))}\n`;
    this.#write(this.#head + texts);
    this.#part.add({ owner, type: type.code, ttl, rdata });
  }

  /** Whether the slice is large enough to be taken. */
  get isFull(): boolean {
    return this.#part.records >= mostRecords || this.#part.length >= mostOctets || this.#length >= 8 * mostOctets;
  }

  get isEmpty(): boolean {
    return this.#part.records === 0;
  }

  /** Returns everything added since the last call. */
  take(): LoadSlice {
    const { records } = this.#part;
    const rows = new Uint8Array(this.#rows.subarray(0, this.#length));
    this.#length = 0;
    return { rows, part: this.#part.take(), records };
  }

  /** Writes at once: strings kept until the end of the slice would be copied by garbage collection. */
  #write(row: string): void {
    const most = this.#length + row.length * octetsOfCharacter;
    if (most > this.#rows.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, this.#rows.length * 2));
      larger.set(this.#rows.subarray(0, this.#length));
      this.#rows = larger;
    }
    this.#length += this.#rows.write(row, this.#length);
  }
}

/** Escapes for the text format of COPY; neither names nor JSON contain control characters. */
const escaped = (text: string) => (text.includes("\\") ? text.replaceAll("\\", "\\\\") : text);
