/** The answer that a country's clients get most, from the matrix of explain. */
import { shownOf } from "../../../kit/plain.ts";
import { recordTexts as texts } from "../../../text/record.ts";
import type { Explanation } from "./use-simulation.ts";

/** The most frequent answer by country. */
export function mostFrequent(matrix: Explanation["matrix"]): ReadonlyMap<string, string> {
  const entries = Object.entries(matrix ?? {}).map(
    ([country, counted]) => [country, shownOf(counted[0]?.answer.join(", ") ?? "") || texts.nothingLeft] as const,
  );
  return new Map(entries);
}
