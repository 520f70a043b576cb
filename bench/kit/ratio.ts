/** Ratios of two costs that were measured in alternation, with the interval of their median. */

/** One quantity of this checkout over that of another one. */
export interface Ratio {
  readonly measure: string;
  readonly rounds: number;
  readonly median: number;
  /** The distribution-free interval that holds the true median in at least 95 % of cases, by the sign test. */
  readonly from: number;
  readonly to: number;
}

export function ratioOf(measure: string, ratios: readonly number[]): Ratio {
  const sorted = ratios.toSorted((a, b) => a - b);
  const middle = (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
  const rank = rankOf(sorted.length);
  return { measure, rounds: sorted.length, median: middle, from: sorted[rank]!, to: sorted.at(-1 - rank)! };
}

/** The highest rank below which at most 2.5 % of the binomial distribution with one half lies. */
function rankOf(count: number): number {
  let below = 0;
  let probability = 0.5 ** count;
  for (let rank = 0; ; rank++) {
    below += probability;
    if (below > 0.025) return Math.max(0, rank - 1);
    probability *= (count - rank) / (rank + 1);
  }
}

export function printRatios(ratios: readonly Ratio[]): void {
  for (const { measure, rounds, median, from, to } of ratios) {
    const interval = `${from.toFixed(3)} to ${to.toFixed(3)}`;
    process.stdout.write(`${measure.padEnd(24)} ${median.toFixed(3)}  (${interval}, ${rounds} rounds)\n`);
  }
}
