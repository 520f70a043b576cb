/** Whose word counts when several files know a client, and how much of the address each fact depended on. */
import type { ClientFacts } from "../lib/facts.ts";
import { findPlace, spansRegions } from "./facts/places.ts";
import { type StatedFacts, stated } from "./facts/records.ts";
import type { Found } from "./facts/walk.ts";

/**
 * Joins what the files state about one address, in the order in which they are asked: each fact is the first that is
 * stated. Places stay whole: a subdivision counts only for the country that was found, coordinates only where
 * they do not belong to another country or subdivision.
 */
export function decide(found: readonly Found[]): ClientFacts {
  const home = ask(found, stated.country, 0, (facts) => facts.country !== undefined);
  const country = home.facts?.country;
  const part = ask(found, stated.subdivision, home.length, (facts) => isPartOf(facts, country));
  const subdivision = part.facts?.subdivision;
  const spot = ask(found, stated.coordinates, part.length, (facts) => isWithin(facts, country, subdivision));
  const network = ask(found, stated.asn, 0, (facts) => facts.asn !== undefined);
  const region = ask(found, stated.georegion, 0, (facts) => facts.georegion !== undefined);
  const place = country === undefined ? undefined : findPlace(country, subdivision);
  const derived = country !== undefined && spansRegions(country) ? part.length : home.length;
  return {
    country,
    subdivision,
    latitude: spot.facts?.latitude ?? place?.latitude,
    longitude: spot.facts?.longitude ?? place?.longitude,
    asn: network.facts?.asn,
    georegion: region.facts?.georegion ?? place?.georegion,
    lengths: {
      country: home.length,
      subdivision: part.length,
      coordinates: spot.length,
      asn: network.length,
      georegion: region.facts ? region.length : Math.max(region.length, derived),
    },
  };
}

interface Word {
  /** Of the first file that states the fact acceptably. */
  readonly facts: StatedFacts | undefined;
  /** The bits that it took to know, or to know that nobody does. */
  readonly length: number;
}

function ask(found: readonly Found[], fact: number, least: number, accepts: (facts: StatedFacts) => boolean): Word {
  let length = least;
  for (const { facts, depth, states } of found) {
    if ((states & fact) === 0) continue;
    length = Math.max(length, depth);
    if (accepts(facts)) return { facts, length };
  }
  return { facts: undefined, length };
}

const isPartOf = (facts: StatedFacts, country: string | undefined) =>
  facts.subdivision !== undefined && facts.country === country;

const isWithin = (facts: StatedFacts, country: string | undefined, subdivision: string | undefined) =>
  facts.latitude !== undefined &&
  (facts.country === undefined || facts.country === country) &&
  (facts.subdivision === undefined || subdivision === undefined || facts.subdivision === subdivision);
