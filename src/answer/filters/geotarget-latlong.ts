/** Sorts answers by the distance between their coordinates and the requester's. */
import { filter } from "./contract/filter.ts";
import { sortFirst } from "./parts/order.ts";
import { nearness, setPoint } from "./parts/sphere.ts";

export const geotargetLatlong = filter({
  id: "geotarget_latlong",
  shortdesc: "Sort by distance to coordinates",
  desc: "Sorts answers by the distance over the globe between the requester and an answer's <code>latitude</code> and <code>longitude</code>. Answers that lack one of the two come last.",
  tier: 3,
  kind: "reorders",
  inputs: ["latitude", "longitude"],
  config: {},
  compile: (_config, record) => {
    const latitudes = record.numbers("latitude");
    const longitudes = record.numbers("longitude");
    if (latitudes.isEmpty || longitudes.isEmpty) return undefined;
    const origin = new Float64Array(3);
    const point = new Float64Array(3);
    return (selection, client) => {
      const { keys, count } = selection;
      if (count < 2) return;
      setPoint(origin, 0, client.latitude(), client.longitude());
      for (let rank = 0; rank < count; rank++) {
        const answer = selection.answer(rank);
        setPoint(point, 0, latitudes.at(answer), longitudes.at(answer));
        keys[rank] = -nearness(origin, 0, point, 0);
      }
      sortFirst(selection, record.needed);
    };
  },
});
