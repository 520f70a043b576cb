/** The countries and subdivisions that answers are meant for, from all metadata keys that name them. */
import { isObject } from "../../../lib/values.ts";
import type { MetaKey } from "../../model/meta.ts";
import { subdivisionCode } from "../../model/metavalue.ts";
import type { Atlas, Column, FilterClient, FilterRecord } from "../contract/filter.ts";
import { codesOf } from "./codes.ts";
import { nearest, type Points, pointsOf } from "./sphere.ts";

export const areaKeys = ["country", "us_state", "ca_province", "subdivisions"] as const satisfies readonly MetaKey[];

interface Area {
  readonly countries: ReadonlySet<string>;
  /** Subdivision codes by country. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>;
  readonly middles: Points;
  /** The argument and the result of the last `nearnessTo`. */
  readonly last: Float64Array;
}

export class Areas {
  readonly #answers: readonly number[];
  readonly #columns: readonly Column<Area | undefined>[];

  constructor(record: FilterRecord) {
    const { whole, partsOf, subdivisions } = readersBy(record.atlas);
    const columns = [
      record.values("country", whole),
      record.values("us_state", partsOf.US),
      record.values("ca_province", partsOf.CA),
      record.values("subdivisions", subdivisions),
    ];
    this.#answers = Array.from({ length: record.answers }, (_, answer) => answer);
    this.#columns = columns.filter(({ isEmpty }) => !isEmpty);
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
    return this.#columns.some((column) => this.#answers.some((answer) => (column.at(answer)?.parts.size ?? 0) > 0));
  }

  isTagged(answer: number): boolean {
    for (const column of this.#columns) if (column.at(answer) !== undefined) return true;
    return false;
  }

  /** Whether the client is in a part of a country that the answer names. */
  hasPart(answer: number, client: FilterClient): boolean {
    for (const column of this.#columns) {
      const parts = column.at(answer)?.parts;
      if (parts === undefined || parts.size === 0) continue;
      if (parts.get(client.country())?.has(client.subdivision())) return true;
    }
    return false;
  }

  hasCountry(answer: number, client: FilterClient): boolean {
    for (const column of this.#columns) {
      const countries = column.at(answer)?.countries;
      if (countries !== undefined && countries.size > 0 && countries.has(client.country())) return true;
    }
    return false;
  }

  /** Nearness of the first of `points` to the nearest centre of a place that the answer names (see `nearest`). */
  nearness(answer: number, points: Points): number {
    let most = Number.NEGATIVE_INFINITY;
    for (const column of this.#columns) {
      const area = column.at(answer);
      if (area !== undefined) most = Math.max(most, nearnessTo(area, points));
    }
    return most;
  }
}

/** Remembers the last result: in one query, several answers and filters ask for the same area and point. */
function nearnessTo({ last, middles }: Area, points: Points): number {
  if (!Object.is(last[0], points[0]) || !Object.is(last[1], points[1]) || !Object.is(last[2], points[2])) {
    for (let i = 0; i < 3; i++) last[i] = points[i]!;
    last[3] = nearest(points, 0, middles);
  }
  return last[3]!;
}

const readers = new WeakMap<Atlas, ReturnType<typeof makeReaders>>();

/** Returns the same functions each time, so that the filters of a chain share parsed values. */
function readersBy(atlas: Atlas) {
  const known = readers.get(atlas) ?? makeReaders(atlas);
  readers.set(atlas, known);
  return known;
}

function makeReaders(atlas: Atlas) {
  const inCountry = (country: string) => (value: unknown) => {
    const codes = codesOf(value);
    return codes && areaOf(atlas, [], [[country, codes]]);
  };
  return {
    whole: (value: unknown) => {
      const codes = codesOf(value);
      return codes && areaOf(atlas, [...codes], []);
    },
    partsOf: { US: inCountry("US"), CA: inCountry("CA") },
    subdivisions: (value: unknown) => subdivisionsOf(atlas, value),
  };
}

function subdivisionsOf(atlas: Atlas, value: unknown): Area | undefined {
  if (!isObject(value)) return undefined;
  const parts = Object.entries(value).flatMap(([country, list]): [string, ReadonlySet<string>][] => {
    const codes = codesOf(list);
    const place = country.toUpperCase();
    return codes ? [[place, new Set([...codes].map((code) => subdivisionCode(code, place)))]] : [];
  });
  return parts.length > 0 ? areaOf(atlas, [], parts) : undefined;
}

function areaOf(
  atlas: Atlas,
  countries: readonly string[],
  parts: readonly [country: string, codes: ReadonlySet<string>][],
): Area {
  const middles = [
    ...countries.map((country) => atlas.centre(country)),
    ...parts.flatMap(([country, codes]) => [...codes].map((code) => atlas.centre(`${country}-${code}`))),
  ];
  const known = new Map(
    middles.flatMap((middle) => (middle ? [[`${middle.latitude} ${middle.longitude}`, middle]] : [])),
  );
  return {
    countries: new Set(countries),
    parts: new Map(parts),
    middles: pointsOf([...known.values()]),
    last: new Float64Array(4).fill(Number.POSITIVE_INFINITY),
  };
}
