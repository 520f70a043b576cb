/** Sorts numbers by keys beside them, without allocating: for what is done for each query. */

/** Runs of this length are sorted by insertion, which is quick for few. */
const run = 16;

/**
 * Sorts the first `count` items by their keys, lowest first; equal ones stay in their order. Keys move with their items
 * and must not be NaN. The spare arrays are at least as long, and hold nothing of use afterwards.
 */
export function sortByKey(
  items: Int32Array,
  keys: Float64Array,
  count: number,
  spareItems: Int32Array,
  spareKeys: Float64Array,
): void {
  for (let from = 0; from < count; from += run) insertionSort(items, keys, from, Math.min(from + run, count));
  for (let width = run; width < count; width *= 2) {
    for (let from = 0; from + width < count; from += 2 * width) {
      // Already in order, as it often is: nothing to merge
      if (keys[from + width - 1]! <= keys[from + width]!) continue;
      merge(items, keys, from, from + width, Math.min(from + 2 * width, count), spareItems, spareKeys);
    }
  }
}

function insertionSort(items: Int32Array, keys: Float64Array, from: number, end: number): void {
  for (let i = from + 1; i < end; i++) {
    const item = items[i]!;
    const key = keys[i]!;
    let to = i;
    for (; to > from && keys[to - 1]! > key; to--) {
      items[to] = items[to - 1]!;
      keys[to] = keys[to - 1]!;
    }
    items[to] = item;
    keys[to] = key;
  }
}

/** Merges what is sorted from `from` up to `middle` with what is sorted from there up to `end`. */
function merge(
  items: Int32Array,
  keys: Float64Array,
  from: number,
  middle: number,
  end: number,
  spareItems: Int32Array,
  spareKeys: Float64Array,
): void {
  for (let i = from; i < middle; i++) {
    spareItems[i] = items[i]!;
    spareKeys[i] = keys[i]!;
  }
  let left = from;
  let right = middle;
  for (let to = from; left < middle; to++) {
    if (right < end && keys[right]! < spareKeys[left]!) {
      items[to] = items[right]!;
      keys[to] = keys[right++]!;
    } else {
      items[to] = spareItems[left]!;
      keys[to] = spareKeys[left++]!;
    }
  }
}
