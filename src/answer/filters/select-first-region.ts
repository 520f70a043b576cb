/** Keeps the answers in the region of the first answer. */
import { filter } from "./contract/filter.ts";

export const selectFirstRegion = filter({
  id: "select_first_region",
  shortdesc: "Keep the answers in the region of the first answer",
  desc: "Keeps the answers that are in the region of the first answer. Answers without a region count as one region.",
  tier: 2,
  kind: "eliminates",
  inputs: [],
  config: {},
  reason: () => "the first answer is in another region",
  compile: (_config, { regions, regionNames }) => {
    if (regionNames.length === 1) return undefined;
    return (selection) => {
      const { count } = selection;
      if (count < 2) return;
      const first = regions[selection.answer(0)];
      let kept = 0;
      for (let rank = 0; rank < count; rank++) {
        if (regions[selection.answer(rank)] === first) selection.move(rank, kept++);
      }
      selection.cut(kept);
    };
  },
});
