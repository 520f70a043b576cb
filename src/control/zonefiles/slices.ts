/** Records that nothing steers, composed for a load: as rows of the store and as parts for edges, slice by slice. */
import type { Name } from "../../dns/name.ts";
import { type RecordType, rdataToApi } from "../../dns/types.ts";
import { newId } from "../../lib/ids.ts";
import { type LoadHead, type LoadSlice, rowHead } from "../../storage/loads.ts";
import { PartWriter } from "../../sync/contents.ts";

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

export class SliceWriter {
  readonly #head: string;
  readonly #part = new PartWriter();
  #rows: string[] = [];
  #length = 0;

  constructor(head: LoadHead) {
    this.#head = rowHead(head);
  }

  /** An owner and type that was not added before. */
  add({ owner, domain, type, ttl, rdata }: PlainRrset): void {
    const now = Date.now();
    const answers = rdata.map((octets) => ({ answer: rdataToApi(type, octets), id: newId(now) }));
    const row = `${escaped(domain)}\t${type.name}\t${newId(now)}\t${ttl}\t${escaped(JSON.stringify(answers))}\n`;
    this.#rows.push(this.#head, row);
    this.#length += row.length;
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
    // each is written into one text: a text made by adding would be taken apart again
    const rows = new TextEncoder().encode(this.#rows.join(""));
    this.#rows = [];
    this.#length = 0;
    return { rows, part: this.#part.take(), records };
  }
}

/** As the text format of COPY has it; neither names nor JSON have control characters. */
const escaped = (text: string) => (text.includes("\\") ? text.replaceAll("\\", "\\\\") : text);
