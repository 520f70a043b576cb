/** The registry of filters, in the order of the API's list. */
import { additionalMetadata } from "./additional-metadata.ts";
import type { Filter } from "./contract/filter.ts";
import { cost } from "./cost.ts";
import { dhcp } from "./dhcp.ts";
import { geofenceCountry } from "./geofence-country.ts";
import { geofenceRegional } from "./geofence-regional.ts";
import { geotargetCountry } from "./geotarget-country.ts";
import { geotargetLatlong } from "./geotarget-latlong.ts";
import { geotargetRegional } from "./geotarget-regional.ts";
import { ipv4PrefixShuffle } from "./ipv4-prefix-shuffle.ts";
import { netfenceAsn } from "./netfence-asn.ts";
import { netfencePrefix } from "./netfence-prefix.ts";
import { parseIpv4 } from "./parse-ipv4.ts";
import { priority } from "./priority.ts";
import { pulsarFilters } from "./pulsar.ts";
import { selectFirstN } from "./select-first-n.ts";
import { selectFirstRegion } from "./select-first-region.ts";
import { shedLoad } from "./shed-load.ts";
import { shuffle } from "./shuffle.ts";
import { sticky } from "./sticky.ts";
import { stickyRegion } from "./sticky-region.ts";
import { up } from "./up.ts";
import { weightedShuffle } from "./weighted-shuffle.ts";
import { weightedSticky } from "./weighted-sticky.ts";

export const filters: readonly Filter[] = [
  up,
  shedLoad,
  geofenceCountry,
  geofenceRegional,
  netfenceAsn,
  netfencePrefix,
  geotargetCountry,
  geotargetRegional,
  geotargetLatlong,
  shuffle,
  weightedShuffle,
  sticky,
  stickyRegion,
  weightedSticky,
  priority,
  cost,
  ipv4PrefixShuffle,
  parseIpv4,
  selectFirstRegion,
  selectFirstN,
  ...pulsarFilters,
  additionalMetadata,
  dhcp,
];

export const filtersById: ReadonlyMap<string, Filter> = new Map(filters.map((filter) => [filter.id, filter]));
