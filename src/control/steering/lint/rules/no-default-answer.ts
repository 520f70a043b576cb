/** A fence that leaves nothing to clients whom no answer names. */

import { Stranger } from "./parts/stranger.ts";
import { filterField, rule } from "./rule.ts";

export const noDefaultAnswer = rule({
  code: "no_default_answer",
  check({ links, record, select }) {
    const selection = select();
    const stranger = new Stranger();
    const before = new Int32Array(record.answers.length);
    for (const link of links) {
      if (!link.step || link.filter.kind !== "eliminates") continue;
      stranger.begin();
      const count = selection.save(before);
      link.step(selection, stranger);
      // what goes by other things than the client is no fence
      if (!stranger.isAsked) selection.restore(before, count);
      else if (selection.count === 0) {
        const message = `clients whom no answer names get nothing from ${link.filter.id}: every answer is for some clients only`;
        return [{ field: filterField(link), message }];
      }
    }
    return [];
  },
});
