/** What a worker's chains know of the world: feeds in shared memory, and clients and places by the geo files. */

import type { Atlas } from "../answer/filter.ts";
import type { LiveReader } from "../answer/live/reader.ts";
import type { SteeringOptions } from "../answer/steering.ts";
import { locateNobody, noFeeds } from "../answer/unknown.ts";
import type { GeoData } from "../geo/data.ts";
import type { Georegion } from "../geo/facts.ts";
import { openGeo } from "../geo/geo.ts";
import { findPlace, regionCentres } from "../geo/places.ts";

/** Without geo files addresses say nothing, without a live table feeds do not. */
export function steeringOptions(live: LiveReader | undefined, geo: GeoData | undefined): SteeringOptions {
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  const known = geo && openGeo(geo);
  return {
    live: live ?? noFeeds,
    atlas,
    locate: known ? (octets, offset, length) => known.find(octets, offset, length) : locateNobody,
    seed,
  };
}

const atlas: Atlas = {
  centre(place) {
    if (isGeoregion(place)) return regionCentres[place];
    const [country = "", subdivision] = place.split("-");
    return findPlace(country, subdivision);
  },
};

const isGeoregion = (place: string): place is Georegion => Object.hasOwn(regionCentres, place);
