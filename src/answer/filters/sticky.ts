/** Puts answers in an order that is constant for each requester. */
import { filter } from "./contract/filter.ts";
import { sortFirst } from "./parts/order.ts";
import { requester, stickyConfig, stickyKey } from "./parts/requester.ts";

export const sticky = filter({
  id: "sticky",
  shortdesc: "Shuffle answers, the same way for a requester each time",
  desc: "Puts the answers in an order that depends on the requester's address: the same each time for one requester, but different between requesters.",
  tier: 2,
  kind: "reorders",
  inputs: [],
  config: stickyConfig,
  compile: ({ sticky_by_network }, record) => {
    return (selection, client) => {
      const { keys, count } = selection;
      if (count < 2) return;
      const who = requester(client, sticky_by_network);
      for (let rank = 0; rank < count; rank++) keys[rank] = stickyKey(who, selection, rank, record);
      sortFirst(selection, record.needed);
    };
  },
});
