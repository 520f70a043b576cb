/** The data that a worker's filter chains read: values of feeds, and facts about clients from the geo files. */

import type { SteeringOptions } from "../../answer/chain/steering.ts";
import { locateNobody } from "../../answer/chain/unknown.ts";
import type { LiveReader } from "../../answer/live/reader.ts";
import { atlas } from "../../geo/facts/atlas.ts";
import type { GeoData } from "../../geo/facts/data.ts";
import { Geo } from "../../geo/geo.ts";
import { counted, countFound } from "./counters.ts";

/** Without geo files, nothing is known about clients. */
export function steeringOptions(live: LiveReader, geo: GeoData | undefined, counts: Float64Array): SteeringOptions {
  const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
  const known = geo && new Geo(geo, (wasCached) => countFound(counts, counted.geo, wasCached));
  return {
    live,
    atlas,
    locate: known ? (octets, offset, length) => known.find(octets, offset, length) : locateNobody,
    seed,
    clock: () => performance.now(),
    onChain: (wasCached) => countFound(counts, counted.chains, wasCached),
  };
}
