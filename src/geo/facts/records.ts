/** The facts of files about prefixes, packed into words for shared memory. */
import { type ClientFacts, georegions } from "../../lib/facts.ts";

/** The facts of one entry of a file; facts that it does not state are absent. */
export type StatedFacts = {
  -readonly [Fact in Exclude<keyof ClientFacts, "lengths">]?: NonNullable<ClientFacts[Fact]>;
};

/** The words of a record: country and georegion, subdivision, AS number, latitude, longitude. */
const recordWords = 5;
const word = { place: 0, subdivision: 1, asn: 2, latitude: 3, longitude: 4 } as const;

/** The bit of each fact that a record can state. */
export const stated = { country: 1, subdivision: 2, coordinates: 4, asn: 8, georegion: 16 } as const;

/** The latitude of records without coordinates. */
const noCoordinates = -0x80000000;
/** Coordinates are stored in millionths of a degree. */
const perDegree = 1e6;

/** Collects records. Record 0 states nothing. */
export class Records {
  readonly #words: number[] = [];
  /** The bits of all facts stated so far. */
  states = 0;

  constructor() {
    this.#words.push(...compose({}));
  }

  /** Adds a record with these facts and returns its number. */
  add(facts: StatedFacts): number {
    const states = statedBy(facts);
    if (states === 0) return 0;
    this.states |= states;
    this.#words.push(...compose(facts));
    return this.#words.length / recordWords - 1;
  }

  get(number: number): StatedFacts {
    return parseRecord(this.#words, number);
  }

  share(): SharedArrayBuffer {
    const shared = new SharedArrayBuffer(this.#words.length * 4);
    new Int32Array(shared).set(this.#words);
    return shared;
  }
}

function compose(facts: StatedFacts): number[] {
  const { country = "", subdivision = "", asn = 0, georegion, latitude, longitude } = facts;
  const region = georegion === undefined ? 0 : georegions.indexOf(georegion) + 1;
  const known = latitude !== undefined && longitude !== undefined;
  return [
    (region << 16) | packCode(country),
    packCode(subdivision),
    asn | 0,
    known ? Math.round(latitude * perDegree) : noCoordinates,
    known ? Math.round(longitude * perDegree) : 0,
  ];
}

function statedBy(facts: StatedFacts): number {
  return (
    (facts.country === undefined ? 0 : stated.country) |
    (facts.subdivision === undefined ? 0 : stated.subdivision) |
    (facts.latitude === undefined ? 0 : stated.coordinates) |
    (facts.asn === undefined ? 0 : stated.asn) |
    (facts.georegion === undefined ? 0 : stated.georegion)
  );
}

/** Returns the facts of a record. */
export function parseRecord(words: ArrayLike<number>, number: number): StatedFacts {
  const at = number * recordWords;
  const facts: StatedFacts = {};
  const place = words[at + word.place]!;
  const subdivision = words[at + word.subdivision]!;
  const asn = words[at + word.asn]!;
  const latitude = words[at + word.latitude]!;
  const georegion = georegions[(place >>> 16) - 1];
  if ((place & 0xffff) !== 0) facts.country = unpackCode(place & 0xffff);
  if (subdivision !== 0) facts.subdivision = unpackCode(subdivision);
  if (asn !== 0) facts.asn = asn >>> 0;
  if (georegion !== undefined) facts.georegion = georegion;
  if (latitude !== noCoordinates) {
    facts.latitude = latitude / perDegree;
    facts.longitude = words[at + word.longitude]! / perDegree;
  }
  return facts;
}

/** Packs a code of at most three ASCII characters into a number; 0 for an empty code. */
function packCode(code: string): number {
  let packed = 0;
  for (let at = 0; at < code.length; at++) packed = (packed << 8) | code.charCodeAt(at);
  return packed;
}

function unpackCode(packed: number): string {
  let code = "";
  for (let rest = packed; rest > 0; rest >>= 8) code = String.fromCharCode(rest & 255) + code;
  return code;
}
