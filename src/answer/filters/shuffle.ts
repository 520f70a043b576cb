/** Puts answers in random order. */
import { filter } from "./contract/filter.ts";

export const shuffle = filter({
  id: "shuffle",
  shortdesc: "Shuffle answers",
  desc: "Puts the answers in random order. All orders are equally likely.",
  tier: 2,
  kind: "reorders",
  inputs: [],
  config: {},
  compile: (_config, { needed }) => {
    return (selection, client) => {
      const last = selection.count - 1;
      for (let rank = 0; rank < last && rank < needed; rank++) {
        selection.swap(rank, rank + Math.floor(client.random() * (selection.count - rank)));
      }
    };
  },
});
