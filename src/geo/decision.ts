/** Joins the facts of several files about a client, with the number of address bits on which each fact depends. */
import type { ClientFacts } from "../lib/facts.ts";
import { findPlace, spansRegions } from "./facts/places.ts";
import { type StatedFacts, stated } from "./facts/records.ts";
import type { Found } from "./facts/tree.ts";

/**
 * Joins the facts of the files about one address: each fact is from the first file that states it. Places stay
 * consistent: a subdivision must belong to the chosen country, and coordinates must not belong to another country or
 * subdivision.
 */
export function decide(found: readonly Found[]): ClientFacts {
  const home = choose(found, stated.country, 0, (facts) => facts.country !== undefined);
  const country = home.facts?.country;
  const part = choose(found, stated.subdivision, home.length, (facts) => isPartOf(facts, country));
  const subdivision = part.facts?.subdivision;
  const spot = choose(found, stated.coordinates, part.length, (facts) => isWithin(facts, country, subdivision));
  const network = choose(found, stated.asn, 0, (facts) => facts.asn !== undefined);
  const region = choose(found, stated.georegion, 0, (facts) => facts.georegion !== undefined);
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

interface Choice {
  /** The facts of the first file that states a consistent fact. */
  readonly facts: StatedFacts | undefined;
  /** The number of bits that determined the fact or its absence. */
  readonly length: number;
}

function choose(
  found: readonly Found[],
  fact: number,
  least: number,
  accepts: (facts: StatedFacts) => boolean,
): Choice {
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
