/** Uploaded files, piece by piece: the whole body, or one field of a form (multipart/form-data, RFC 7578). */
import { invalid } from "../../lib/problem.ts";

type Pieces = AsyncIterable<Uint8Array>;

const mostParts = 100;
const mostPartHeader = 8192;

/** Yields the file's octets. Throws `invalid`, even after some octets, unless a form has the field exactly once. */
export function uploadOf(body: Pieces, contentType: string, field: string): Pieces {
  return /^\s*multipart\/form-data\b/i.test(contentType) ? fieldOf(body, boundaryOf(contentType), field) : body;
}

/** RFC 2046 section 5.1.1: at most 70 characters. */
function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalid("the form's Content-Type has no boundary");
  return boundary;
}

async function* fieldOf(body: Pieces, boundary: string, field: string): AsyncGenerator<Uint8Array> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const form = new Scanner(body);
  await form.skip(delimiter);
  let found = 0;
  for (let parts = 0; !(await form.startsWith("--")); parts++) {
    if (parts === mostParts) throw invalid(`the form has more than ${mostParts} parts`);
    const name = nameOf(await form.short(Buffer.from("\r\n\r\n")));
    if (name !== field) {
      await form.skip(delimiter);
    } else {
      if (++found > 1) throw invalid(`the form has the field "${field}" more than once`, { field });
      yield* form.until(delimiter);
    }
  }
  await form.drain();
  if (found === 0) throw invalid(`the form has no field "${field}"`, { field });
}

/** Scans the pieces as one text. It keeps only octets that can be the start of a delimiter. */
class Scanner {
  readonly #pieces: AsyncIterator<Uint8Array>;
  /** Starts with a line end, since the first delimiter can be the first line. */
  #text: Buffer = Buffer.from("\r\n");

  constructor(pieces: Pieces) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Yields the octets before `end`, and skips `end`. */
  async *until(end: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#text.indexOf(end);
      if (at >= 0) {
        if (at > 0) yield this.#text.subarray(0, at);
        this.#text = this.#text.subarray(at + end.length);
        return;
      }
      const sure = Math.max(0, this.#text.length - end.length + 1);
      if (sure > 0) yield this.#text.subarray(0, sure);
      this.#text = this.#text.subarray(sure);
      await this.#more();
    }
  }

  async skip(end: Buffer): Promise<void> {
    for await (const _ of this.until(end));
  }

  /** Returns the short text before `end`, and skips `end`. */
  async short(end: Buffer): Promise<string> {
    const found: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this.until(end)) {
      found.push(piece);
      length += piece.length;
      if (length > mostPartHeader) throw invalid("the header of a form part is too long");
    }
    return Buffer.concat(found).toString("utf8");
  }

  async startsWith(text: string): Promise<boolean> {
    while (this.#text.length < text.length) await this.#more();
    return this.#text.toString("latin1", 0, text.length) === text;
  }

  /** Skips the octets after the form. */
  async drain(): Promise<void> {
    while (!(await this.#pieces.next()).done);
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#pieces.next();
    if (done) throw invalid("the form is not complete: a part has no end");
    this.#text = Buffer.concat([this.#text, value]);
  }
}

/** Returns the field's name; file names are ignored. */
const nameOf = (header: string): string | undefined => {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(header)?.[1] ?? "";
  const [, quoted, plain] = /(?:^|;)\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  return quoted ?? plain;
};
