/** Sorts answers by the distance between their georegion and the requester's. */
import { georegions } from "../../lib/facts.ts";
import { codesOf } from "../lists/places.ts";
import { type FilterRecord, filter } from "./contract/filter.ts";
import { sortFirst } from "./parts/order.ts";
import { here, nearest, pointsOf } from "./parts/sphere.ts";

export const geotargetRegional = filter({
  id: "geotarget_regional",
  shortdesc: "Sort by distance to geographic region",
  desc: "Sorts answers by the distance between the requester's region and the nearest region in an answer's <code>georegion</code>. Answers without <code>georegion</code> come last.",
  tier: 3,
  kind: "reorders",
  inputs: ["georegion"],
  config: {},
  compile: (_config, record) => {
    const regions = record.values("georegion", (value) => sortKeysOf(record, value));
    if (regions.isEmpty) return undefined;
    return (selection, client) => {
      const { keys, count } = selection;
      if (count < 2) return;
      for (let rank = 0; rank < count; rank++) {
        keys[rank] = regions.at(selection.answer(rank))?.get(client.georegion()) ?? Number.NaN;
      }
      sortFirst(selection, record.needed);
    };
  },
});

/** The sort keys of an answer for the regions in `value`, by the requester's region; the lowest key is the nearest. */
function sortKeysOf({ atlas }: FilterRecord, value: unknown): ReadonlyMap<string, number> | undefined {
  const codes = codesOf(value);
  if (codes === undefined) return undefined;
  const middles = (names: readonly string[]) => pointsOf(names.flatMap((name) => atlas.centre(name) ?? []));
  const own = middles([...codes]);
  const sortKey = (region: string) => (codes.has(region) ? -here : -nearest(middles([region]), 0, own));
  return new Map(georegions.map((region) => [region, sortKey(region)]));
}
