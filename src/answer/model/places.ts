/** The codes of places that metadata may name: countries and subdivisions of ISO 3166. */
import { createRequire } from "node:module";

let known: { readonly countries: readonly string[]; readonly subdivisions: ReadonlyMap<string, readonly string[]> };

/** Country codes in two capital letters. XK is not in ISO 3166, but is the code in common use for Kosovo. */
export const countries = (): readonly string[] => places().countries;

/** Subdivision codes by country, without the country prefix: for `US`, `AK`, `AL`, ...; all in alphabetical order. */
export const subdivisions = (): ReadonlyMap<string, readonly string[]> => places().subdivisions;

/** Loaded at first use: threads that answer queries start sooner, and need the codes only for some metadata. */
function places(): typeof known {
  known ??= load();
  return known;
}

function load(): typeof known {
  const { iso31661, iso31662 }: typeof import("iso-3166") = createRequire(import.meta.url)("iso-3166");
  const map = new Map<string, string[]>();
  // these codes are sorted already
  for (const { code } of iso31662) {
    const [country = "", rest = ""] = code.split("-");
    const codes = map.get(country);
    if (codes) codes.push(rest);
    else map.set(country, [rest]);
  }
  return { countries: [...iso31661.map((country) => country.alpha2), "XK"].sort(), subdivisions: map };
}
