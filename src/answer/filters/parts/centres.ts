/** The centres of places as points, each computed once for an atlas. */
import { type PlaceList, placeName } from "../../lists/places.ts";
import type { Atlas } from "../contract/filter.ts";
import { nearness, type Points, setPoint } from "./sphere.ts";

/** More places than there are codes in ISO 3166; later ones have no centre. */
const mostCentres = 8192;

export class Centres {
  readonly #atlas: Atlas;
  /** The number of each place's centre; -1 for a place that has none. */
  readonly #numbers = new Map<number, number>();
  readonly #points: Points = new Float64Array(mostCentres * 3);
  #count = 0;

  constructor(atlas: Atlas) {
    this.#atlas = atlas;
  }

  /** The numbers of the centres of these places. */
  of(places: PlaceList): Uint16Array {
    const numbers = new Uint16Array(places.count);
    let count = 0;
    for (let i = 0; i < places.count; i++) {
      const number = this.#numberOf(places.place(i));
      if (number >= 0) numbers[count++] = number;
    }
    return numbers.subarray(0, count);
  }

  /** The largest nearness of the first of `points` to any of these centres; `-Infinity` when there is none. */
  nearest(points: Points, centres: Uint16Array): number {
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < centres.length; i++) most = Math.max(most, nearness(points, 0, this.#points, centres[i]!));
    return most;
  }

  #numberOf(place: number): number {
    const known = this.#numbers.get(place);
    if (known !== undefined) return known;
    const centre = this.#atlas.centre(placeName(place));
    let number = -1;
    if (centre && this.#count < mostCentres) {
      number = this.#count++;
      setPoint(this.#points, number, centre.latitude, centre.longitude);
    }
    if (this.#numbers.size < mostCentres) this.#numbers.set(place, number);
    return number;
  }
}
