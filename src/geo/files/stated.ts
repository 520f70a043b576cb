/** Reads the facts of text files, and refuses invalid values. */

import { georegions } from "../../lib/facts.ts";
import { invalid } from "../../lib/problem.ts";
import { findPlace, maySubdivide } from "../facts/places.ts";
import type { StatedFacts } from "../facts/records.ts";

/** The names of facts in files. */
export const factNames = ["country", "subdivision", "latitude", "longitude", "asn", "georegion"] as const;
type FactName = (typeof factNames)[number];

/** The codes that vendors use for an unknown country. */
const unknownCountries = ["", "-", "ZZ", "EU", "AP"];

/**
 * Reads the facts of one entry from text or JSON values; empty values state nothing. Throws a Problem that names the
 * field. Whether a subdivision has its country is checked later, by `assertWhole`: overrides can inherit the country.
 */
export function readFacts(fields: Readonly<Partial<Record<FactName, string | number>>>): StatedFacts {
  const facts: StatedFacts = {};
  for (const name of factNames) {
    const text = String(fields[name] ?? "").trim();
    if (text !== "") readers[name](text, facts);
  }
  if ((facts.latitude === undefined) !== (facts.longitude === undefined)) {
    throw invalid("latitude and longitude must be given together");
  }
  return facts;
}

/** Throws a Problem when a subdivision has no country, or does not belong to it. */
export function assertWhole({ country, subdivision }: StatedFacts): void {
  if (subdivision === undefined) return;
  if (country === undefined) throw invalid(`subdivision ${subdivision} needs a country`);
  if (!maySubdivide(country, subdivision)) throw invalid(`"${subdivision}" is not a subdivision of ${country}`);
}

/** Returns two capital letters of ISO 3166-1, or undefined. */
export function countryOf(text: string): string | undefined {
  const code = text.toUpperCase();
  return code.length === 2 && findPlace(code) !== undefined ? code : undefined;
}

/** Returns the subdivision's part of an ISO 3166-2 code: `CA` for `CA` and for `US-CA`. Undefined for other text. */
export function subdivisionOf(text: string, country: string | undefined): string | undefined {
  const [, prefix, code] = /^(?:([A-Z]{2})-)?([A-Z0-9]{1,3})$/.exec(text.toUpperCase()) ?? [];
  return prefix === undefined || country === undefined || prefix === country ? code : undefined;
}

/** Parses an AS number with or without the prefix `AS`. Undefined for other text. */
export function asnOf(text: string): number | undefined {
  const [, digits] = /^(?:AS)?(\d{1,10})$/i.exec(text) ?? [];
  const number = Number(digits);
  return number >= 1 && number <= 0xffffffff ? number : undefined;
}

/** Parses degrees from `-limit` to `limit`. Undefined for other text. */
export function degreesOf(text: string, limit: 90 | 180): number | undefined {
  const degrees = Number(text);
  return /^[-+]?\d{1,3}(\.\d{1,20})?$/.test(text) && Math.abs(degrees) <= limit ? degrees : undefined;
}

const readers: Readonly<Record<FactName, (text: string, facts: StatedFacts) => void>> = {
  country: (text, facts) => {
    if (unknownCountries.includes(text.toUpperCase())) return;
    facts.country = countryOf(text) ?? refuse(`"${text}" is not a country code of ISO 3166-1`);
  },
  subdivision: (text, facts) => {
    facts.subdivision =
      subdivisionOf(text, facts.country) ?? refuse(`"${text}" is not a subdivision code of ISO 3166-2`);
  },
  latitude: (text, facts) => {
    facts.latitude = degreesOf(text, 90) ?? refuse(`latitude "${text}" is not a number from -90 to 90`);
  },
  longitude: (text, facts) => {
    facts.longitude = degreesOf(text, 180) ?? refuse(`longitude "${text}" is not a number from -180 to 180`);
  },
  asn: (text, facts) => {
    facts.asn = asnOf(text) ?? refuse(`"${text}" is not an AS number`);
  },
  georegion: (text, facts) => {
    const code = text.toUpperCase();
    facts.georegion =
      georegions.find((region) => region === code) ?? refuse(`"${text}" is not one of ${georegions.join(", ")}`);
  },
};

function refuse(message: string): never {
  throw invalid(message);
}
