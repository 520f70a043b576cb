/**
 * Facts of a client, joined from geo files as docs/reference/geo.md describes, with the address bits that they depend
 * on.
 */
import { type Address, type Block, Cuts, has, mappedBits, unmapped } from "./address.ts";
import { middle } from "./places.ts";

/** The facts of one entry of a file. */
export interface Stated {
  readonly country?: string;
  readonly subdivision?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly asn?: number;
  readonly georegion?: string;
}

export interface Entry {
  readonly block: Block;
  readonly facts: Stated;
}

/** In `overrides`, a narrower entry adds to wider entries; in other files, it replaces them. */
export interface GeoFile {
  readonly kind: "overrides" | "others";
  readonly entries: readonly Entry[];
}

/** The known facts of a client. */
export type Known = Stated;

const factNames = ["country", "subdivision", "coordinates", "asn", "georegion"] as const;
export type FactName = (typeof factNames)[number];

/** The statements from which each fact is made. */
const madeFrom: Readonly<Record<FactName, readonly FactName[]>> = {
  country: ["country"],
  subdivision: ["country", "subdivision"],
  coordinates: ["country", "subdivision", "coordinates"],
  asn: ["asn"],
  georegion: ["country", "subdivision", "georegion"],
};

export class GeoModel {
  /** Overrides first. */
  readonly #files: readonly (GeoFile & {
    readonly states: ReadonlySet<FactName>;
    readonly cuts: Readonly<Record<4 | 6, Cuts>>;
  })[];
  /** The addresses at which any fact of any file may change. */
  readonly cuts: Readonly<Record<4 | 6, Cuts>>;

  constructor(files: readonly GeoFile[]) {
    const ordered = [...files].sort((a, b) => Number(b.kind === "overrides") - Number(a.kind === "overrides"));
    this.#files = ordered.map((file) => ({ ...file, states: statesOf(file), cuts: cutsOf(file.entries) }));
    this.cuts = cutsOf(files.flatMap(({ entries }) => entries));
  }

  find(asked: Address): Known {
    const address = unmapped(asked) ?? asked;
    const words = this.#files.map(({ kind, entries }) => {
      const found = entries
        .filter(({ block }) => has(block, address))
        .sort((a, b) => (a.block.last - a.block.first > b.block.last - b.block.first ? -1 : 1));
      const narrowest = found.at(-1)?.facts ?? {};
      return kind === "overrides"
        ? found.reduce((wider, { facts }) => narrowed(wider, facts), {} as Stated)
        : narrowest;
    });
    return joined(words);
  }

  /** The most bits of an address on which a fact depends. */
  depth(fact: FactName, asked: Address): number {
    const own = unmapped(asked);
    const { family, value } = own ?? asked;
    const concerned = this.#files.filter(({ states }) => madeFrom[fact].some((made) => states.has(made)));
    if (concerned.length === 0) return 0;
    return (own ? mappedBits : 0) + Math.max(...concerned.map(({ cuts }) => cuts[family].depth(value)));
  }
}

/** A narrower entry in another country or subdivision does not inherit the wider entry's place, only its AS number. */
function narrowed(wider: Stated, own: Stated): Stated {
  const leaves =
    (own.country !== undefined && own.country !== wider.country) ||
    (own.subdivision !== undefined && own.subdivision !== wider.subdivision);
  if (!leaves) return { ...wider, ...own };
  const { country, asn } = wider;
  return { ...(country === undefined ? {} : { country }), ...(asn === undefined ? {} : { asn }), ...own };
}

/** Takes each fact from the first statement that has it, but never mixes places. */
function joined(words: readonly Stated[]): Known {
  const country = words.find((word) => word.country !== undefined)?.country;
  const subdivision = words.find((word) => word.subdivision !== undefined && word.country === country)?.subdivision;
  const spot = words.find(
    (word) =>
      word.latitude !== undefined &&
      (word.country === undefined || word.country === country) &&
      (word.subdivision === undefined || subdivision === undefined || word.subdivision === subdivision),
  );
  const own = country === undefined ? undefined : middle(country, subdivision);
  const asn = words.find((word) => word.asn !== undefined)?.asn;
  const georegion = words.find((word) => word.georegion !== undefined)?.georegion ?? own?.georegion;
  const latitude = spot?.latitude ?? own?.latitude;
  const longitude = spot?.longitude ?? own?.longitude;
  return {
    ...(country === undefined ? {} : { country }),
    ...(subdivision === undefined ? {} : { subdivision }),
    ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
    ...(asn === undefined ? {} : { asn }),
    ...(georegion === undefined ? {} : { georegion }),
  };
}

const statesOf = ({ entries }: GeoFile): ReadonlySet<FactName> =>
  new Set(
    entries.flatMap(({ facts }) => factNames.filter((name) => (name === "coordinates" ? "latitude" : name) in facts)),
  );

function cutsOf(entries: readonly Entry[]): Readonly<Record<4 | 6, Cuts>> {
  const blocks = entries.map(({ block }) => block);
  return { 4: new Cuts(4, blocks), 6: new Cuts(6, blocks) };
}
