/** Keeps the answers that are meant for the requester's country or its subdivision. */
import { flag } from "../../lib/fields.ts";
import { type FilterClient, filter } from "./contract/filter.ts";
import { Areas, areaKeys } from "./parts/areas.ts";
import { fence, hasAny, inside, outside, rememberBy, untagged } from "./parts/fence.ts";

export const geofenceCountry = filter({
  id: "geofence_country",
  shortdesc: "Fence by country",
  desc: "Removes answers whose <code>country</code>, <code>us_state</code>, <code>ca_province</code> or <code>subdivisions</code> do not include the requester. Answers that name no place stay.",
  tier: 3,
  kind: "eliminates",
  inputs: areaKeys,
  config: {
    remove_no_location: flag({
      shortdesc: "On a match, remove answers without a place",
      desc: "Also removes the answers that name no place, if another answer names the requester's place.",
      default: "0",
    }),
  },
  reason: (_config, read) =>
    hasAny(areaKeys, read)
      ? "the client is not in a place that the answer names"
      : "the answer names no place, and another answer names the client's",
  compile: ({ remove_no_location }, record) => {
    const areas = new Areas(record);
    if (areas.isEmpty) return undefined;
    const judge = (answer: number, client: FilterClient) => {
      if (!areas.isTagged(answer)) return untagged;
      return areas.hasCountry(answer, client) || areas.hasPart(answer, client) ? inside : outside;
    };
    const byCountry = areas.isConstant && !areas.hasParts;
    if (!byCountry) return fence(remove_no_location, judge);
    const isTagged = (answer: number) => areas.isTagged(answer);
    return fence(
      remove_no_location,
      rememberBy((client) => client.country(), record.answers, isTagged, judge),
    );
  },
});
