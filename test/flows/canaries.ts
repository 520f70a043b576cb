/** Planted secrets, and the search for them: in clear text and in the encodings in which text is sent. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";

export class Canaries {
  readonly #forms = new Map<string, readonly Buffer[]>();

  /** `octets` are the decoded secret, if it is in base64. */
  plant(what: string, secret: string | undefined, octets?: Buffer): void {
    if (secret === undefined || secret.length < 10) throw new Error(`${what} is no secret: ${secret}`);
    const texts = [Buffer.from(secret), ...(octets ? [octets] : [])];
    this.#forms.set(what, texts.flatMap(formsOf));
  }

  get count(): number {
    return this.#forms.size;
  }

  /** The secrets found in a text. */
  in(place: Buffer | string): string[] {
    const octets = Buffer.isBuffer(place) ? place : Buffer.from(place);
    return [...this.#forms].filter(([, forms]) => forms.some((form) => octets.includes(form))).map(([what]) => what);
  }

  /** The secrets found in the files below a directory without writers, by path; packed files are unpacked. */
  below(directory: string): Map<string, string[]> {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const found = files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(directory, path), this.in(unpacked(readFileSync(path)))] as const;
    });
    return new Map(found.filter(([, what]) => what.length > 0).map(([path, what]) => [path, [...what]]));
  }
}

const isGzip = (octets: Buffer) => octets[0] === 0x1f && octets[1] === 0x8b;
const unpacked = (octets: Buffer) => (isGzip(octets) ? gunzipSync(octets) : octets);

function formsOf(octets: Buffer): Buffer[] {
  const hex = octets.toString("hex");
  const text = octets.toString("latin1");
  const escaped = encodeURIComponent(text);
  // at each of the three positions that it may have in a group of base64
  const base64 = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), octets])
      .toString("base64")
      .replace(/=+$/, "");
    return whole.slice(before === 0 ? 0 : before + 1, -1);
  });
  const reversed = Buffer.from(octets).reverse();
  return [
    ...[octets, reversed],
    ...[hex, hex.toUpperCase(), escaped, ...base64, ...base64.map(urlSafe)].map((form) => Buffer.from(form)),
    Buffer.from(text, "utf16le"),
  ];
}

const urlSafe = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_");
