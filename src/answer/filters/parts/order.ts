/** Sorts the ranks of a selection that later filters look at. */
import type { Selection } from "../../model/selection.ts";

/** Up to this many ranks, a search for each is cheaper than a full sort. */
const fewRanks = 4;

/** Like `selection.sort`, but guarantees only the order of the first `needed` ranks. */
export function sortFirst(selection: Selection, needed: number): void {
  const { keys, count } = selection;
  if (needed > fewRanks || needed >= count) {
    selection.sort();
    return;
  }
  for (let i = 0; i < count; i++) if (Number.isNaN(keys[i]!)) keys[i] = Number.POSITIVE_INFINITY;
  for (let rank = 0; rank < needed; rank++) {
    let lowest = rank;
    for (let i = rank + 1; i < count; i++) if (keys[i]! < keys[lowest]!) lowest = i;
    // the answers in between move back by one rank, in their order
    for (let i = lowest; i > rank; i--) {
      selection.swap(i, i - 1);
      const key = keys[i]!;
      keys[i] = keys[i - 1]!;
      keys[i - 1] = key;
    }
  }
}
