/** Where a country, a subdivision or a georegion lies, by one name for all of them. */
import type { Georegion } from "../../lib/facts.ts";
import { findPlace, regionCentres } from "./places.ts";

export const atlas = {
  /**
   * The middle, in degrees, of a country (`US`), a subdivision (`US-CA`) or a georegion (`US-WEST`); of a subdivision
   * without an entry that of its country. Undefined for what is not known.
   */
  centre(place: string): { readonly latitude: number; readonly longitude: number } | undefined {
    if (isGeoregion(place)) return regionCentres[place];
    const [country = "", subdivision] = place.split("-");
    return findPlace(country, subdivision);
  },
};

const isGeoregion = (place: string): place is Georegion => Object.hasOwn(regionCentres, place);
