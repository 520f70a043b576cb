/** Sorts answers by the distance between the requester and the countries or subdivisions that the answers name. */
import { filter } from "./contract/filter.ts";
import { Areas, areaKeys } from "./parts/areas.ts";
import { sortFirst } from "./parts/order.ts";
import { here, setPoint } from "./parts/sphere.ts";

export const geotargetCountry = filter({
  id: "geotarget_country",
  shortdesc: "Sort by distance to country",
  desc: "Sorts answers by distance. First come answers that name the requester's subdivision in <code>us_state</code>, <code>ca_province</code> or <code>subdivisions</code>, then answers that name the requester's <code>country</code>, then answers that name other places, by the distance between the requester and the centre of the nearest of these places. Answers that name no place come last.",
  tier: 3,
  kind: "reorders",
  inputs: areaKeys,
  config: {},
  compile: (_config, record) => {
    const areas = new Areas(record);
    if (areas.isEmpty) return undefined;
    const origin = new Float64Array(3);
    return (selection, client) => {
      const { keys, count } = selection;
      if (count < 2) return;
      let isLocated = false;
      for (let rank = 0; rank < count; rank++) {
        const answer = selection.answer(rank);
        if (!areas.isTagged(answer)) {
          keys[rank] = Number.NaN;
        } else if (areas.hasPart(answer, client)) {
          keys[rank] = -here - 1;
        } else if (areas.hasCountry(answer, client)) {
          keys[rank] = -here;
        } else {
          if (!isLocated) setPoint(origin, 0, client.latitude(), client.longitude());
          isLocated = true;
          keys[rank] = -areas.nearness(answer, origin);
        }
      }
      sortFirst(selection, record.needed);
    };
  },
});
