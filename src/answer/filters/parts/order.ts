/** Puts a selection in order as far as anyone looks. */
import type { Selection } from "../../model/selection.ts";

/** Up to this many places are cheaper found one by one. */
const fewPlaces = 4;

/** Like `selection.sort`, but only the first `needed` places are sure to be right. */
export function sortFirst(selection: Selection, needed: number): void {
  const { keys, count } = selection;
  if (needed > fewPlaces || needed >= count) {
    selection.sort();
    return;
  }
  for (let i = 0; i < count; i++) if (Number.isNaN(keys[i]!)) keys[i] = Number.POSITIVE_INFINITY;
  for (let place = 0; place < needed; place++) {
    let lowest = place;
    for (let i = place + 1; i < count; i++) if (keys[i]! < keys[lowest]!) lowest = i;
    // Those that are passed keep their order
    for (let i = lowest; i > place; i--) {
      selection.swap(i, i - 1);
      const key = keys[i]!;
      keys[i] = keys[i - 1]!;
      keys[i - 1] = key;
    }
  }
}
