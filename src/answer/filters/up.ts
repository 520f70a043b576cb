/** Keeps the answers that are up. */
import { filter } from "./contract/filter.ts";

export const up = filter({
  id: "up",
  shortdesc: 'Removes "down" answers',
  desc: "Keeps the answers whose <code>up</code> is true. When no answer is up, all stay, unless the record's <code>all_down</code> says otherwise.",
  tier: 2,
  kind: "eliminates",
  inputs: ["up"],
  config: {},
  reason: (_config, read) => (read("up") === undefined ? "up has no value" : "up is not true"),
  compile: (_config, record) => {
    const up = record.numbers("up");
    return (selection) => {
      const { count } = selection;
      let kept = 0;
      for (let i = 0; i < count; i++) if (up.at(selection.answer(i)) === 1) selection.move(i, kept++);
      if (kept > 0) selection.cut(kept);
      else if (count > 0) record.allDown(selection);
    };
  },
});
