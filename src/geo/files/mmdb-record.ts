/** Reads the facts of a MaxMind DB record in the layouts of MaxMind and other vendors. */

import { maySubdivide } from "../facts/places.ts";
import type { StatedFacts } from "../facts/records.ts";
import type { MmdbData } from "./mmdb-data.ts";
import { asnOf, countryOf, degreesOf, subdivisionOf } from "./stated.ts";

/** Facts as they are in the file. */
type Raw = { [Fact in "country" | "subdivision" | "latitude" | "longitude" | "asn"]?: string };

type Reader = (data: MmdbData, at: number, raw: Raw) => void;
/** Readers by key of a map; other keys are ignored. */
type Readers = ReadonlyMap<string, Reader>;

const countryMap: Readers = new Map([["iso_code", into("country")]]);
const subdivisionMap: Readers = new Map([["iso_code", into("subdivision")]]);
const traitsMap: Readers = new Map([["autonomous_system_number", into("asn")]]);
const locationMap: Readers = new Map([
  ["latitude", into("latitude")],
  ["longitude", into("longitude")],
]);

const recordMap: Readers = new Map<string, Reader>([
  ["country", (data, at, raw) => within(data, at, countryMap, raw) || intoCountry(data, at, raw)],
  ["country_code", intoCountry],
  ["subdivisions", (data, at, raw) => within(data, data.first(at) ?? at, subdivisionMap, raw)],
  ["region_code", into("subdivision")],
  ["location", (data, at, raw) => within(data, at, locationMap, raw)],
  ["latitude", into("latitude")],
  ["lat", into("latitude")],
  ["longitude", into("longitude")],
  ["lng", into("longitude")],
  ["lon", into("longitude")],
  ["traits", (data, at, raw) => within(data, at, traitsMap, raw)],
  ["autonomous_system_number", into("asn")],
  ["as_number", into("asn")],
  ["asn", into("asn")],
]);

/** Reads the facts of the record at a position, without invalid values such as unknown country codes. */
export function readMmdbRecord(data: MmdbData, at: number): StatedFacts {
  const raw: Raw = {};
  data.begin();
  within(data, at, recordMap, raw);
  const country = countryOf(raw.country ?? "");
  const subdivision = country === undefined ? undefined : subdivisionOf(raw.subdivision ?? "", country);
  const asn = asnOf(raw.asn ?? "");
  const [latitude, longitude] = [degreesOf(raw.latitude ?? "", 90), degreesOf(raw.longitude ?? "", 180)];
  const facts: StatedFacts = {};
  if (country !== undefined) facts.country = country;
  if (country !== undefined && subdivision !== undefined && maySubdivide(country, subdivision)) {
    facts.subdivision = subdivision;
  }
  if (asn !== undefined) facts.asn = asn;
  if (latitude !== undefined && longitude !== undefined) Object.assign(facts, { latitude, longitude });
  return facts;
}

/** Reads the entries of a map; false if there is no map. */
function within(data: MmdbData, at: number, known: Readers, raw: Raw): boolean {
  return data.entries(at, (key, value) => {
    known.get(key)?.(data, value, raw);
  });
}

/** Reads a country code; some vendors write a name here instead. */
function intoCountry(data: MmdbData, at: number, raw: Raw): void {
  const value = data.scalar(at);
  if (typeof value === "string" && value.length === 2) raw.country = value;
}

/** Reads text or a number. */
function into(fact: keyof Raw): Reader {
  return (data, at, raw) => {
    const value = data.scalar(at);
    if (typeof value === "number") raw[fact] = Number.isInteger(value) ? String(value) : value.toFixed(6);
    else if (value) raw[fact] = value;
  };
}
