/** Countries by their codes in ISO 3166-1: the list is the service's, the names are the browser's. */
import { useMemo } from "react";
import { useRead } from "./api.ts";

const names = new Intl.DisplayNames(undefined, { type: "region" });
const order = new Intl.Collator();

export function countryName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** The codes of a country's parts (ISO 3166-2), without the country. */
export const useSubdivisions = (country: string): readonly string[] =>
  useRead("GET /v1/metatypes/geo").data?.data.subdivisions[country] ?? [];

/** All codes, by the names of the countries. */
export function useCountries(): readonly string[] {
  const codes = useRead("GET /v1/metatypes/geo").data?.data.countries;
  return useMemo(() => [...(codes ?? [])].sort((a, b) => order.compare(countryName(a), countryName(b))), [codes]);
}
