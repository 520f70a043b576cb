/** Fences: each answer is kept or removed by a verdict on whether it is for the client. */
import type { Column, FilterClient, ReadValue, Step } from "../contract/filter.ts";

/** The answer has no metadata about its clients. */
export const untagged = 0;
/** The answer is for this client. */
export const inside = 1;
/** The answer is for other clients. */
export const outside = 2;

export type Verdict = typeof untagged | typeof inside | typeof outside;

type Judge = (answer: number, client: FilterClient) => Verdict;

/** The part of the client that the verdicts of a record with constant metadata depend on. */
type Key = (client: FilterClient) => string | number;

/** Maximum number of clients' keys in a fence's cache. */
const mostKeys = 512;

/**
 * Caches the verdicts on all answers, numbered up to and including `answers`, by the key of a client: a verdict takes
 * many small reads of memory. For answers without a tag the client is not read.
 */
export function rememberBy(key: Key, answers: number, isTagged: (answer: number) => boolean, judge: Judge): Judge {
  let tags: readonly boolean[] | undefined;
  const cached = new Map<string | number, readonly Verdict[]>();
  const judgeAll = (current: string | number, client: FilterClient) => {
    const verdicts = Array.from({ length: answers + 1 }, (_, answer) => judge(answer, client));
    if (cached.size >= mostKeys) cached.clear();
    cached.set(current, verdicts);
    return verdicts;
  };
  let last: string | number | undefined;
  let verdicts: readonly Verdict[] = [];
  return (answer, client) => {
    tags ??= Array.from({ length: answers + 1 }, (_, each) => isTagged(each));
    if (!tags[answer]) return untagged;
    const current = key(client);
    if (current !== last) {
      verdicts = cached.get(current) ?? judgeAll(current, client);
      last = current;
    }
    return verdicts[answer]!;
  };
}

/**
 * Removes all answers for other clients. Answers without a tag stay, unless `dropsUntagged` is true and an answer is
 * for this client. The remaining answers keep their order; there may be none.
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

/** Whether an answer has a value for any of these keys. */
export const hasAny = (keys: readonly string[], read: ReadValue) => keys.some((key) => read(key) !== undefined);

/** A fence by one metadata key, whose value says which clients an answer is for; undefined if no answer has the key. */
export function fenceBy<Clients>(
  column: Column<Clients | undefined>,
  dropsUntagged: boolean,
  has: (clients: Clients, client: FilterClient) => boolean,
): Step | undefined {
  if (column.isEmpty) return undefined;
  return fence(dropsUntagged, (answer, client) => {
    const clients = column.at(answer);
    if (clients === undefined) return untagged;
    return has(clients, client) ? inside : outside;
  });
}
