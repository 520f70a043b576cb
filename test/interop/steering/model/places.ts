/** The places of the generator, with georegion, and latitude and longitude of the centre, as in docs/reference/geo.md. */

export interface Place {
  readonly georegion: string;
  readonly latitude: number;
  readonly longitude: number;
}

const place = (georegion: string, latitude: number, longitude: number): Place => ({ georegion, latitude, longitude });

/** Countries, and the subdivisions that have their own centre. */
export const places: Readonly<Record<string, Place>> = {
  DE: place("EUROPE", 51, 9),
  FR: place("EUROPE", 46, 2),
  IE: place("EUROPE", 53, -8),
  GB: place("EUROPE", 54, -2),
  US: place("US-CENTRAL", 38, -97),
  "US-NY": place("US-EAST", 43, -75.5),
  "US-FL": place("US-EAST", 28.5, -82.5),
  "US-TX": place("US-CENTRAL", 31.5, -99),
  "US-CA": place("US-WEST", 37, -119.5),
  "US-WA": place("US-WEST", 47.5, -120.5),
  CA: place("US-EAST", 60, -95),
  "CA-ON": place("US-EAST", 50, -86),
  "CA-QC": place("US-EAST", 52, -72),
  "CA-MB": place("US-CENTRAL", 55, -97),
  "CA-BC": place("US-WEST", 54, -125),
  BR: place("SOUTH-AMERICA", -10, -55),
  JP: place("ASIAPAC", 36, 138),
  AU: place("ASIAPAC", -27, 133),
  IN: place("ASIAPAC", 20, 77),
  ZA: place("AFRICA", -29, 24),
  DZ: place("AFRICA", 28, 3),
};

/** Centres of the georegions. */
export const regions: Readonly<Record<string, { readonly latitude: number; readonly longitude: number }>> = {
  "US-EAST": { latitude: 39, longitude: -78 },
  "US-CENTRAL": { latitude: 37, longitude: -95 },
  "US-WEST": { latitude: 39, longitude: -119 },
  EUROPE: { latitude: 50, longitude: 12 },
  ASIAPAC: { latitude: 20, longitude: 110 },
  "SOUTH-AMERICA": { latitude: -15, longitude: -58 },
  AFRICA: { latitude: 3, longitude: 21 },
};

/** The centre of a country or subdivision; a subdivision without its own has the country's. */
export const middle = (country: string, part?: string) =>
  (part === undefined ? undefined : places[`${country}-${part}`]) ?? places[country];

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** The distance in kilometres (haversine formula). */
export function distance(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const square = (x: number) => x * x;
  const h =
    square(Math.sin(radians(b.latitude - a.latitude) / 2)) +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(b.latitude)) *
      square(Math.sin(radians(b.longitude - a.longitude) / 2));
  return 2 * 6371 * Math.asin(Math.sqrt(Math.min(1, h)));
}
