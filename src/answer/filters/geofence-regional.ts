/** Keeps the answers that are meant for the requester's coarse region. */
import { flag } from "../../lib/fields.ts";
import { filter } from "./contract/filter.ts";
import { codesOf } from "./parts/codes.ts";
import { fence, inside, outside, untagged } from "./parts/fence.ts";

export const geofenceRegional = filter({
  id: "geofence_regional",
  shortdesc: "Fence by geographic region",
  desc: "Removes answers whose <code>georegion</code> is not the requester's. Answers without one stay.",
  tier: 3,
  kind: "eliminates",
  inputs: ["georegion"],
  config: {
    remove_no_georegion: flag({
      shortdesc: "Remove answers without a region on a match",
      desc: "Removes the answers without <code>georegion</code> as well, when another has the requester's.",
      default: "0",
    }),
  },
  compile: ({ remove_no_georegion }, record) => {
    const regions = record.values("georegion", codesOf);
    if (regions.isEmpty) return undefined;
    return fence(remove_no_georegion, (answer, client) => {
      const codes = regions.at(answer);
      if (codes === undefined) return untagged;
      return codes.has(client.georegion()) ? inside : outside;
    });
  },
});
