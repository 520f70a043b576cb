/** The countries and subdivisions that answers are meant for, from all metadata keys that name them. */
import { type ListKind, reader } from "../../lists/list.ts";
import { caProvinces, countries, type PlaceList, subdivisions, usStates } from "../../lists/places.ts";
import type { MetaKey } from "../../model/meta.ts";
import type { Atlas, Column, FilterClient, FilterRecord } from "../contract/filter.ts";
import { Centres } from "./centres.ts";
import type { Points } from "./sphere.ts";

export const areaKeys = ["country", "us_state", "ca_province", "subdivisions"] as const satisfies readonly MetaKey[];

interface Area {
  readonly places: PlaceList;
  /** The numbers of the centres of the places; undefined until they are needed. */
  centres: Uint16Array | undefined;
  /** The argument and the result of the last `nearnessTo`. */
  readonly last: Float64Array;
}

export class Areas {
  readonly #answers: readonly number[];
  readonly #columns: readonly Column<Area | undefined>[];
  readonly #centres: Centres;

  constructor(record: FilterRecord) {
    const { readers, centres } = readersBy(record.atlas);
    const columns = areaKeys.map((key) => record.values(key, readers[key]));
    this.#answers = Array.from({ length: record.answers }, (_, answer) => answer);
    this.#columns = columns.filter(({ isEmpty }) => !isEmpty);
    this.#centres = centres;
  }

  /** Whether no answer can name a place. */
  get isEmpty(): boolean {
    return this.#columns.length === 0;
  }

  /** Whether no value is from a feed. */
  get isConstant(): boolean {
    return this.#columns.every(({ isConstant }) => isConstant);
  }

  /** Whether any answer currently names a part of a country. */
  get hasParts(): boolean {
    return this.#columns.some((column) => this.#answers.some((answer) => column.at(answer)?.places.hasParts));
  }

  isTagged(answer: number): boolean {
    for (const column of this.#columns) if (column.at(answer) !== undefined) return true;
    return false;
  }

  /** Whether the client is in a part of a country that the answer names. */
  hasPart(answer: number, client: FilterClient): boolean {
    for (const column of this.#columns) {
      const places = column.at(answer)?.places;
      if (places === undefined || !places.hasParts || !places.hasPartsOf(client.country())) continue;
      if (places.hasPart(client.country(), client.subdivision())) return true;
    }
    return false;
  }

  hasCountry(answer: number, client: FilterClient): boolean {
    for (const column of this.#columns) {
      const places = column.at(answer)?.places;
      if (places?.hasCountries && places.hasCountry(client.country())) return true;
    }
    return false;
  }

  /** Nearness of the first of `points` to the nearest centre of a place that the answer names (see `nearest`). */
  nearness(answer: number, points: Points): number {
    let most = Number.NEGATIVE_INFINITY;
    for (const column of this.#columns) {
      const area = column.at(answer);
      if (area !== undefined) most = Math.max(most, this.#nearnessTo(area, points));
    }
    return most;
  }

  /** Remembers the last result: in one query, several answers and filters ask for the same area and point. */
  #nearnessTo(area: Area, points: Points): number {
    const { last } = area;
    if (!Object.is(last[0], points[0]) || !Object.is(last[1], points[1]) || !Object.is(last[2], points[2])) {
      for (let i = 0; i < 3; i++) last[i] = points[i]!;
      area.centres ??= this.#centres.of(area.places);
      last[3] = this.#centres.nearest(points, area.centres);
    }
    return last[3]!;
  }
}

const known = new WeakMap<Atlas, ReturnType<typeof makeReaders>>();

/** Returns the same functions each time, so that the filters of a chain share parsed values. */
function readersBy(atlas: Atlas) {
  const made = known.get(atlas) ?? makeReaders(atlas);
  known.set(atlas, made);
  return made;
}

function makeReaders(atlas: Atlas) {
  const areas = (kind: ListKind<PlaceList>) => {
    const read = reader(kind);
    return (value: unknown): Area | undefined => {
      const places = read(value);
      const last = new Float64Array(4).fill(Number.POSITIVE_INFINITY);
      return places && { places, centres: undefined, last };
    };
  };
  const readers = {
    country: areas(countries),
    us_state: areas(usStates),
    ca_province: areas(caProvinces),
    subdivisions: areas(subdivisions),
  };
  return { readers, centres: new Centres(atlas) };
}
