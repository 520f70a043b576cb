/** Records that nothing steers, composed for a load: as rows of the store and as parts for edges, slice by slice. */

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
  /** Each once. */
  readonly rdata: readonly Uint8Array[];
}

const mostRecords = 5000;
const mostOctets = 256 * 1024;
const firstOctets = 2 ** 20;
/** Of UTF-8 at most, for each unit of a text. */
const octetsOfCharacter = 3;

export class SliceWriter {
  readonly #head: string;
  readonly #part = new PartWriter();
  #rows = Buffer.allocUnsafe(firstOctets);
  #length = 0;

  constructor(head: LoadHead) {
    this.#head = rowHead(head);
  }

  /** An owner and type that was not added before. */
  add({ owner, domain, type, ttl, rdata }: PlainRrset): void {
    const now = Date.now();
    const answers = rdata.map((octets) => ({ answer: rdataToApi(type, octets), id: newId(now) }));
    const texts = `${escaped(domain)}\t${type.name}\t${newId(now)}\t${ttl}\t${escaped(JSON.stringify(answers))}\n`;
    this.#write(this.#head + texts);
    this.#part.add({ owner, type: type.code, ttl, rdata });
  }

  /** Whether it is time for `take`. */
  get isFull(): boolean {
    return this.#part.records >= mostRecords || this.#part.length >= mostOctets || this.#length >= 8 * mostOctets;
  }

  get isEmpty(): boolean {
    return this.#part.records === 0;
  }

  /** What was added since the last time. */
  take(): LoadSlice {
    const { records } = this.#part;
    const rows = new Uint8Array(this.#rows.subarray(0, this.#length));
    this.#length = 0;
    return { rows, part: this.#part.take(), records };
  }

  /** At once: texts that wait for the end of the slice would be moved about as garbage is collected. */
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

/** As the text format of COPY has it; neither names nor JSON have control characters. */
const escaped = (text: string) => (text.includes("\\") ? text.replaceAll("\\", "\\\\") : text);
