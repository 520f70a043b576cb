/** A fence that leaves no answer for clients that match none of the answers. */

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
      // a filter that does not ask about the client is not a fence
      if (!stranger.isAsked) selection.restore(before, count);
      else if (selection.count === 0) {
        const message = `${link.filter.id} leaves no answer for clients that match none of the answers: every answer is for certain clients only`;
        return [{ field: filterField(link), message }];
      }
    }
    return [];
  },
});
