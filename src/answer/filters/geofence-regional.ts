/** Keeps the answers that are meant for the requester's georegion. */
import { flag } from "../../lib/fields.ts";
import { codesOf } from "../lists/places.ts";
import { filter } from "./contract/filter.ts";
import { fenceBy, hasAny } from "./parts/fence.ts";

export const geofenceRegional = filter({
  id: "geofence_regional",
  shortdesc: "Fence by geographic region",
  desc: "Removes answers whose <code>georegion</code> does not include the requester's region. Answers without <code>georegion</code> stay.",
  tier: 3,
  kind: "eliminates",
  inputs: ["georegion"],
  config: {
    remove_no_georegion: flag({
      shortdesc: "On a match, remove answers without a georegion",
      desc: "Also removes the answers without <code>georegion</code>, if the <code>georegion</code> of another answer includes the requester's region.",
      default: "0",
    }),
  },
  reason: (_config, read) =>
    hasAny(["georegion"], read)
      ? "the client's region is not in georegion"
      : "the answer has no georegion, and that of another answer includes the client's region",
  compile: ({ remove_no_georegion }, record) =>
    fenceBy(record.values("georegion", codesOf), remove_no_georegion, (regions, client) =>
      regions.has(client.georegion()),
    ),
});
