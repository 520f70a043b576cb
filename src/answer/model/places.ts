/** The codes of places that metadata may name: countries and subdivisions of ISO 3166. */
import { iso31661, iso31662 } from "iso-3166";

/** Country codes in two capital letters. XK is not in ISO 3166, but is the code in common use for Kosovo. */
export const countries: readonly string[] = [...iso31661.map((country) => country.alpha2), "XK"].sort();

/** Subdivision codes by country, without the country prefix: for `US`, `AK`, `AL`, ...; all in alphabetical order. */
export const subdivisions: ReadonlyMap<string, readonly string[]> = group();

function group(): Map<string, string[]> {
  const map = new Map<string, string[]>();
  // these codes are sorted already
  for (const { code } of iso31662) {
    const [country = "", rest = ""] = code.split("-");
    const codes = map.get(country);
    if (codes) codes.push(rest);
    else map.set(country, [rest]);
  }
  return map;
}
