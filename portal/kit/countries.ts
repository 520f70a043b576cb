/** Countries by their codes in ISO 3166-1: the list is the service's, the names are the browser's. */
import { useRead } from "./api.ts";

const names = new Intl.DisplayNames(undefined, { type: "region" });

export function countryName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** All codes, by the names of the countries. */
export function useCountries(): readonly string[] {
  const codes = useRead("GET /v1/metatypes/geo").data?.data.countries ?? [];
  return [...codes].sort((a, b) => countryName(a).localeCompare(countryName(b)));
}
