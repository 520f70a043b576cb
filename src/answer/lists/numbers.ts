/** Lists of AS numbers, in ascending order. */
import { type ListKind, listOf, type StoredList } from "./list.ts";

export class NumberList {
  readonly #list: StoredList;
  readonly #count: number;

  constructor(list: StoredList) {
    this.#list = list;
    this.#count = list.read32(0);
  }

  has(number: number): boolean {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.#list.read32(4 + middle * 4);
      if (found === number) return true;
      if (found > number) high = middle;
      else low = middle + 1;
    }
    return false;
  }
}

/** Ignores 0, which no autonomous system has (RFC 7607): a client's number is 0 when its system is unknown. */
export const asns: ListKind<NumberList> = {
  compose(value) {
    const numbers = [...new Set(listOf(value).flatMap(asnOf))].sort((a, b) => a - b);
    if (numbers.length === 0) return undefined;
    const octets = new Uint8Array(4 + numbers.length * 4);
    const view = new DataView(octets.buffer);
    view.setUint32(0, numbers.length);
    for (const [i, number] of numbers.entries()) view.setUint32(4 + i * 4, number);
    return octets;
  },
  open: (list) => new NumberList(list),
};

function asnOf(value: unknown): readonly number[] {
  const number = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number > 0 && number <= 0xffffffff ? [number] : [];
}
