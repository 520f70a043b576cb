/** What all fences do with the answers inside and outside of them. */
import type { FilterClient, Step } from "../../filter.ts";

/** The answer says nothing about where its clients are. */
export const untagged = 0;
/** It is for this client. */
export const inside = 1;
/** It is for others. */
export const outside = 2;

export type Verdict = typeof untagged | typeof inside | typeof outside;

/**
 * Answers for others always go. Those without a tag stay, unless `dropsUntagged` is true and an answer is for this
 * client. What is left keeps its order; it may be nothing.
 */
export function fence(dropsUntagged: boolean, judge: (answer: number, client: FilterClient) => Verdict): Step {
  return (selection, client) => {
    const { count, marks } = selection;
    let isMatched = false;
    for (let place = 0; place < count; place++) {
      const verdict = judge(selection.answer(place), client);
      marks[place] = verdict;
      if (verdict === inside) isMatched = true;
    }
    const keepsUntagged = !dropsUntagged || !isMatched;
    let kept = 0;
    for (let place = 0; place < count; place++) {
      const mark = marks[place];
      if (mark === inside || (mark === untagged && keepsUntagged)) selection.move(place, kept++);
    }
    selection.cut(kept);
  };
}
