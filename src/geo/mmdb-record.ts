/** Takes the facts out of a record of a MaxMind DB, as MaxMind and other vendors lay them out. */
import type { MmdbData } from "./mmdb-data.ts";
import { maySubdivide } from "./places.ts";
import type { StatedFacts } from "./records.ts";
import { asnOf, countryOf, degreesOf, subdivisionOf } from "./stated.ts";

/** Facts as they stand in the file. */
type Raw = { [Fact in "country" | "subdivision" | "latitude" | "longitude" | "asn"]?: string };

type Reader = (data: MmdbData, at: number, raw: Raw) => void;

/** By key of the record; those that are not here are passed over. */
const readers: Readonly<Record<string, Reader>> = {
  country: (data, at, raw) => {
    if (!within(data, at, { iso_code: into("country") }, raw)) into("country")(data, at, raw);
  },
  country_code: into("country"),
  subdivisions: (data, at, raw) => {
    const first = data.first(at);
    if (first !== undefined) within(data, first, { iso_code: into("subdivision") }, raw);
  },
  region_code: into("subdivision"),
  location: (data, at, raw) => {
    within(data, at, { latitude: into("latitude"), longitude: into("longitude") }, raw);
  },
  latitude: into("latitude"),
  lat: into("latitude"),
  longitude: into("longitude"),
  lng: into("longitude"),
  lon: into("longitude"),
  traits: (data, at, raw) => {
    within(data, at, { autonomous_system_number: into("asn") }, raw);
  },
  autonomous_system_number: into("asn"),
  as_number: into("asn"),
  asn: into("asn"),
};

/** The facts of the record at a position; values that are none, such as a country that is no ISO 3166 code, are left out. */
export function readMmdbRecord(data: MmdbData, at: number): StatedFacts {
  const raw: Raw = {};
  data.begin();
  within(data, at, readers, raw);
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

/** Reads the entries of a map; false when there is none. */
function within(data: MmdbData, at: number, known: Readonly<Record<string, Reader>>, raw: Raw): boolean {
  return data.entries(at, (key, value) => {
    if (Object.hasOwn(known, key)) known[key]?.(data, value, raw);
  });
}

/** Reads text or a number; where two keys say the same, a readable value stands. */
function into(fact: keyof Raw): Reader {
  return (data, at, raw) => {
    const value = data.scalar(at);
    if (typeof value === "number") raw[fact] = Number.isInteger(value) ? String(value) : value.toFixed(6);
    else if (value) raw[fact] = value;
  };
}
