/** The RDATA of TXT records (RFC 1035 section 3.3.14) with `additional_metadata` as JSON. */
import { isObject } from "../../lib/values.ts";
import type { ListKind, StoredList } from "./list.ts";

const mostText = 4096;
const mostString = 255;

export class Text {
  readonly #list: StoredList;
  #rdata: Uint8Array | undefined;

  constructor(list: StoredList) {
    this.#list = list;
  }

  /** A copy, which is made once. */
  get rdata(): Uint8Array {
    const { memory } = this.#list;
    this.#rdata ??= memory.octets.slice(this.#list.at(4), this.#list.at(4) + this.#list.read32(0));
    return this.#rdata;
  }
}

export const texts: ListKind<Text> = {
  /** Strings of at most 255 octets, after their length. */
  compose(value) {
    if (!Array.isArray(value) || value.length !== 1 || !isObject(value[0])) return undefined;
    const text = new TextEncoder().encode(JSON.stringify(value));
    if (text.length > mostText) return undefined;
    const octets = new Uint8Array(4 + text.length + Math.ceil(text.length / mostString));
    new DataView(octets.buffer).setUint32(0, octets.length - 4);
    for (let at = 0, to = 4; at < text.length; at += mostString) {
      const string = text.subarray(at, at + mostString);
      octets[to] = string.length;
      octets.set(string, to + 1);
      to += 1 + string.length;
    }
    return octets;
  },
  open: (list) => new Text(list),
};
