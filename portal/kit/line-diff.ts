/** The difference of two lists of lines, in order. */

export interface DiffLine {
  readonly is: "same" | "gone" | "new";
  readonly text: string;
}

/** Longer lists are compared without their order. */
const longest = 400;

export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length > longest || after.length > longest) return unordered(before, after);
  const lengths = commonLengths(before, after);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const isSame = i < before.length && j < after.length && before[i] === after[j];
    if (isSame) {
      lines.push({ is: "same", text: before[i++]! });
      j++;
    } else if (j >= after.length || (i < before.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push({ is: "gone", text: before[i++]! });
    } else lines.push({ is: "new", text: after[j++]! });
  }
  return lines;
}

/** The lengths of the longest common parts that begin at each pair of lines. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        before[i] === after[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}

function unordered(before: readonly string[], after: readonly string[]): DiffLine[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...before.filter((text) => !now.has(text)).map((text) => ({ is: "gone", text }) as const),
    ...after.map((text) => ({ is: old.has(text) ? "same" : "new", text }) as const),
  ];
}
