/** Finds the centre of a country, a subdivision or a georegion by its code. */
import type { Georegion } from "../../lib/facts.ts";
import { findPlace, regionCentres } from "./places.ts";

export const atlas = {
  /**
   * Returns the centre in degrees of a country (`US`), a subdivision (`US-CA`) or a georegion (`US-WEST`); a
   * subdivision without an entry has the centre of its country. Undefined for unknown codes.
   */
  centre(place: string): { readonly latitude: number; readonly longitude: number } | undefined {
    if (isGeoregion(place)) return regionCentres[place];
    const [country = "", subdivision] = place.split("-");
    return findPlace(country, subdivision);
  },
};

const isGeoregion = (place: string): place is Georegion => Object.hasOwn(regionCentres, place);
