/** Keeps the answers that are meant for the requester's georegion. */
import { flag } from "../../lib/fields.ts";
import { filter } from "./contract/filter.ts";
import { codesOf } from "./parts/codes.ts";
import { fenceBy } from "./parts/fence.ts";

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
      desc: "Also removes the answers without <code>georegion</code>, if another answer has the requester's.",
      default: "0",
    }),
  },
  compile: ({ remove_no_georegion }, record) =>
    fenceBy(record.values("georegion", codesOf), remove_no_georegion, (regions, client) =>
      regions.has(client.georegion()),
    ),
});
