/** Lists of countries and of their subdivisions, in ascending order. */
import { isObject } from "../../lib/values.ts";
import { subdivisionCode } from "../model/metavalue.ts";
import { type ListKind, listOf, type StoredList } from "./list.ts";

// A list: the number of its places and a flag for countries and one for subdivisions; each place: two letters of its country, and
// three of its subdivision, or zeros for a whole country.
const headOctets = 5;
const placeOctets = 5;
const countryShift = 2 ** 24;
const countryFlag = 1;
const partFlag = 2;

export class PlaceList {
  readonly count: number;
  /** Whether a country is in the list, or a subdivision. */
  readonly hasCountries: boolean;
  readonly hasParts: boolean;
  readonly #list: StoredList;

  constructor(list: StoredList) {
    this.#list = list;
    this.count = list.read32(0);
    const flags = list.memory.octets[list.at(4)]!;
    this.hasCountries = (flags & countryFlag) !== 0;
    this.hasParts = (flags & partFlag) !== 0;
  }

  /** The number of a place, as `numberOf` gives it. */
  place(i: number): number {
    const at = headOctets + i * placeOctets;
    return this.#list.read32(at) * 256 + this.#list.memory.octets[this.#list.at(at + 4)]!;
  }

  hasCountry(country: string): boolean {
    const number = placeNumber(country, "");
    return number > 0 && this.#at(number) === number;
  }

  /** Whether any subdivision of the country is in the list. */
  hasPartsOf(country: string): boolean {
    const number = placeNumber(country, "");
    if (number === 0 || !this.hasParts) return false;
    const next = this.#at(number + 1);
    return next > number && next < number + countryShift;
  }

  hasPart(country: string, subdivision: string): boolean {
    const number = subdivision === "" ? 0 : placeNumber(country, subdivision);
    return number > 0 && this.#at(number) === number;
  }

  /** The first place from `number` on; 0 after the last. */
  #at(number: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.place(middle) < number) low = middle + 1;
      else high = middle;
    }
    return low < this.count ? this.place(low) : 0;
  }
}

/** A number for a place, which sorts like its codes; 0 if they have other lengths, which no place has. */
function placeNumber(country: string, subdivision: string): number {
  if (country.length !== 2 || subdivision.length > 3) return 0;
  const part = (i: number) => (i < subdivision.length ? subdivision.charCodeAt(i) & 0xff : 0);
  return (
    (((country.charCodeAt(0) & 0xff) << 8) | (country.charCodeAt(1) & 0xff)) * countryShift +
    ((part(0) << 16) | (part(1) << 8) | part(2))
  );
}

/** The name of a place in an atlas: `US`, or `US-CA`. */
export function placeName(number: number): string {
  const country = Math.floor(number / countryShift);
  const part = number % countryShift;
  const letters = [part >>> 16, (part >>> 8) & 0xff, part & 0xff].filter((letter) => letter > 0);
  const name = String.fromCharCode(country >>> 8, country & 0xff);
  return letters.length === 0 ? name : `${name}-${String.fromCharCode(...letters)}`;
}

/** The codes of a value, in capital letters; undefined (unset) if there are none. */
export function codesOf(value: unknown): ReadonlySet<string> | undefined {
  const codes = listOf(value).flatMap((code) => (typeof code === "string" && code !== "" ? code.toUpperCase() : []));
  return codes.length > 0 ? new Set(codes) : undefined;
}

const open = (list: StoredList) => new PlaceList(list);

/** Codes that are of no place stay out, but their answer is still for those who are there: for nobody. */
function compose(codes: readonly (readonly [country: string, subdivision: string])[]): Uint8Array {
  const known = codes.filter((each) => each.every((code) => /^[\x21-\x7e]*$/.test(code)));
  const numbers = [...new Set(known.map(([country, part]) => placeNumber(country, part)))].filter((each) => each > 0);
  numbers.sort((a, b) => a - b);
  const octets = new Uint8Array(headOctets + numbers.length * placeOctets);
  const view = new DataView(octets.buffer);
  view.setUint32(0, numbers.length);
  for (const number of numbers) octets[4] = octets[4]! | (number % countryShift > 0 ? partFlag : countryFlag);
  for (const [i, number] of numbers.entries()) {
    view.setUint32(headOctets + i * placeOctets, Math.floor(number / 256));
    octets[headOctets + i * placeOctets + 4] = number % 256;
  }
  return octets;
}

export const countries: ListKind<PlaceList> = {
  compose(value) {
    const codes = codesOf(value);
    return codes && compose([...codes].map((code) => [code, ""]));
  },
  open,
};

const partsOf = (country: string): ListKind<PlaceList> => ({
  compose(value) {
    const codes = codesOf(value);
    return codes && compose([...codes].map((code) => [country, code]));
  },
  open,
});
export const usStates = partsOf("US");
export const caProvinces = partsOf("CA");

export const subdivisions: ListKind<PlaceList> = {
  compose(value) {
    if (!isObject(value)) return undefined;
    const codes = Object.entries(value).flatMap(([country, list]) =>
      [...(codesOf(list) ?? [])].map((code) => {
        const place = country.toUpperCase();
        return [place, subdivisionCode(code, place)] as const;
      }),
    );
    return codes.length > 0 ? compose(codes) : undefined;
  },
  open,
};
