/** Sorts numbers by a parallel array of keys. It runs for each query, so it allocates nothing. */

/** Length of the runs that are sorted by insertion, which is fast for few items. */
const run = 16;

/**
 * Sorts the first `count` items by their keys, lowest first; items with equal keys keep their order. Keys move with
 * their items and must not be NaN. The spare arrays must be at least as long; their contents are undefined afterwards.
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
      // often already in order
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

/** Merges two sorted runs: from `from` to `middle`, and from `middle` to `end`, ends excluded. */
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
