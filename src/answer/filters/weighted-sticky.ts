/** Puts answers in an order that is constant for each requester; a larger weight makes an early rank more likely. */
import { filter } from "./contract/filter.ts";
import { drawKey } from "./parts/draw.ts";
import { sortFirst } from "./parts/order.ts";
import { requester, stickyConfig, stickyKey } from "./parts/requester.ts";

const keyRange = 2 ** 32;

export const weightedSticky = filter({
  id: "weighted_sticky",
  shortdesc: "Shuffle answers by weight, the same way for a requester each time",
  desc: "Like <code>weighted_shuffle</code>, but the draw depends on the requester's address: each answer comes first for a share of all requesters in proportion to its <code>weight</code>, and a requester's order stays the same until answers or weights change.",
  tier: 2,
  kind: "reorders",
  inputs: ["weight"],
  config: stickyConfig,
  compile: ({ sticky_by_network }, record) => {
    const weights = record.numbers("weight");
    if (weights.isEmpty) return undefined;
    return (selection, client) => {
      const { keys, count } = selection;
      if (count < 2) return;
      const who = requester(client, sticky_by_network);
      for (let rank = 0; rank < count; rank++) {
        keys[rank] = drawKey(weights.at(selection.answer(rank)), stickyKey(who, selection, rank, record) / keyRange);
      }
      sortFirst(selection, record.needed);
    };
  },
});
