/** What all fences do with the answers inside and outside of them. */
import type { FilterClient, Step } from "../contract/filter.ts";

/** The answer says nothing about where its clients are. */
export const untagged = 0;
/** It is for this client. */
export const inside = 1;
/** It is for others. */
export const outside = 2;

export type Verdict = typeof untagged | typeof inside | typeof outside;

type Judge = (answer: number, client: FilterClient) => Verdict;

/** What of the client the verdicts of a record depend on, as long as its metadata is constant. */
type Key = (client: FilterClient) => string | number;

/** Clients of one kind that a fence remembers, at most. */
const maxKinds = 512;

/**
 * Remembers verdicts by kind of client: to judge takes many small steps through memory, and clients of a kind are
 * judged alike. Answers are numbered up to and including `answers`. The client is not looked at for answers without a tag.
 */
export function rememberBy(key: Key, answers: number, isTagged: (answer: number) => boolean, judge: Judge): Judge {
  let tags: readonly boolean[] | undefined;
  const kinds = new Map<string | number, readonly Verdict[]>();
  const judgeAll = (kind: string | number, client: FilterClient) => {
    const verdicts = Array.from({ length: answers + 1 }, (_, answer) => judge(answer, client));
    if (kinds.size >= maxKinds) kinds.clear();
    kinds.set(kind, verdicts);
    return verdicts;
  };
  let last: string | number | undefined;
  let verdicts: readonly Verdict[] = [];
  return (answer, client) => {
    tags ??= Array.from({ length: answers + 1 }, (_, each) => isTagged(each));
    if (!tags[answer]) return untagged;
    const kind = key(client);
    if (kind !== last) {
      verdicts = kinds.get(kind) ?? judgeAll(kind, client);
      last = kind;
    }
    return verdicts[answer]!;
  };
}

/**
 * Answers for others always go. Those without a tag stay, unless `dropsUntagged` is true and an answer is for this
 * client. What is left keeps its order; it may be nothing.
 */
export function fence(dropsUntagged: boolean, judge: Judge): Step {
  return (selection, client) => {
    const { count, marks } = selection;
    let isMatched = false;
    for (let rank = 0; rank < count; rank++) {
      const verdict = judge(selection.answer(rank), client);
      marks[rank] = verdict;
      if (verdict === inside) isMatched = true;
    }
    const keepsUntagged = !dropsUntagged || !isMatched;
    let kept = 0;
    for (let rank = 0; rank < count; rank++) {
      const mark = marks[rank];
      if (mark === inside || (mark === untagged && keepsUntagged)) selection.move(rank, kept++);
    }
    selection.cut(kept);
  };
}
