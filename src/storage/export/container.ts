/**
 * The format of an export, a gzipped file: a JSON line as header; for each table a JSON line, its rows in the text
 * format of COPY as chunks (a line with the length in decimal, then the octets; length 0 is the end), and a JSON line
 * with the number of rows and the checksum; then a JSON line as the end.
 */
import { createHash } from "node:crypto";
import { invalid } from "../../lib/problem.ts";
import type { Header } from "./header.ts";

export const notOurs = "this is not a file that `fairlead store export` wrote";

export interface TableHead {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface TableEnd {
  readonly rows: number;
  readonly sha256: string;
}

const chunkSize = 64 * 1024;

export const composeLine = (value: Header | TableHead | TableEnd | { end: true }) =>
  Buffer.from(`${JSON.stringify(value)}\n`);

/** Yields the chunks of one table and its end. Calls `rows` after the last octets. */
export async function* composeRows(octets: AsyncIterable<Buffer>, rows: () => number): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of gathered(octets)) {
    hash.update(chunk);
    yield Buffer.from(`${chunk.length}\n`);
    yield chunk;
  }
  yield Buffer.from("0\n");
  yield composeLine({ rows: rows(), sha256: hash.digest("hex") });
}

/** Joins small pieces. */
async function* gathered(octets: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of octets) {
    held.push(piece);
    size += piece.length;
    if (size < chunkSize) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}

/** Reads a container from start to end. Throws a Problem when it ends too early or is damaged. */
export class ContainerReader {
  #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async line(): Promise<Record<string, unknown>> {
    const text = (await this.#until(10)).toString("utf8");
    try {
      return JSON.parse(text);
    } catch {
      throw invalid(notOurs);
    }
  }

  /** Yields the octets of one table. The next `line` is the table's end. */
  async *rows(hash: { update(octets: Buffer): unknown }): AsyncGenerator<Buffer> {
    for (;;) {
      const length = Number((await this.#until(10)).toString("latin1"));
      if (!Number.isInteger(length) || length < 0) throw invalid("the file is damaged: a length is not a number");
      if (length === 0) return;
      const chunk = await this.#take(length);
      hash.update(chunk);
      yield chunk;
    }
  }

  async #until(octet: number): Promise<Buffer> {
    let from = 0;
    for (;;) {
      const at = this.#held.indexOf(octet, from);
      if (at >= 0) return (await this.#take(at + 1)).subarray(0, at);
      from = this.#held.length;
      await this.#more();
    }
  }

  async #take(length: number): Promise<Buffer> {
    const parts = [this.#held];
    let size = this.#held.length;
    while (size < length) {
      this.#held = Buffer.alloc(0);
      await this.#more();
      parts.push(this.#held);
      size += this.#held.length;
    }
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    this.#held = whole.subarray(length);
    return whole.subarray(0, length);
  }

  async #more() {
    const { done, value } = await this.#source.next().catch((error: unknown) => {
      throw invalid(`the file is damaged: ${error instanceof Error ? error.message : error}`);
    });
    if (done) throw invalid("the file is damaged: it ends too early");
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
  }
}
