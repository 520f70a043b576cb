/** Puts regions in an order that is constant for each requester. */
import { mix } from "./contract/client.ts";
import { filter } from "./contract/filter.ts";
import { requester, stickyConfig, stickyKeyOf } from "./parts/requester.ts";

/** More regions than any record has. */
const mostRegions = 65536;

export const stickyRegion = filter({
  id: "sticky_region",
  shortdesc: "Shuffle regions, the same way for a requester each time",
  desc: "Groups the answers by region, and puts the regions in an order that depends on the requester's address. Inside a region the answers stay in their order; answers without a region count as one region.",
  tier: 2,
  kind: "reorders",
  inputs: [],
  config: stickyConfig,
  compile: ({ sticky_by_network }, { regions, regionNames }) => {
    if (regionNames.length === 1) return undefined;
    const identities = Int32Array.from(regionNames, (name) => new TextEncoder().encode(name).reduce(mix, name.length));
    return (selection, client) => {
      const { keys, count } = selection;
      if (count < 2) return;
      const who = requester(client, sticky_by_network);
      for (let rank = 0; rank < count; rank++) {
        const region = regions[selection.answer(rank)]!;
        // the fraction separates regions with the same sort key
        keys[rank] = stickyKeyOf(who, identities[region]!) + region / mostRegions;
      }
      selection.sort();
    };
  },
});
