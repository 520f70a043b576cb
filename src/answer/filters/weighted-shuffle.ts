/** Puts answers in random order; a larger weight makes an early rank more likely. */
import { filter } from "./contract/filter.ts";
import { drawKey } from "./parts/draw.ts";
import { sortFirst } from "./parts/order.ts";

export const weightedShuffle = filter({
  id: "weighted_shuffle",
  shortdesc: "Shuffle answers by weight",
  desc: "Draws one answer after another, each with a chance in proportion to its <code>weight</code>. Answers without a weight above 0 come last, in their order.",
  tier: 2,
  kind: "reorders",
  inputs: ["weight"],
  config: {},
  compile: (_config, record) => {
    const weights = record.numbers("weight");
    if (weights.isEmpty) return undefined;
    return (selection, client) => {
      const { keys, count } = selection;
      if (count < 2) return;
      for (let rank = 0; rank < count; rank++) {
        keys[rank] = drawKey(weights.at(selection.answer(rank)), client.random());
      }
      sortFirst(selection, record.needed);
    };
  },
});
