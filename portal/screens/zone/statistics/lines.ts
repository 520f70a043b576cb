/** The graph of a period as a line of rates: the API counts queries in each step. */
import { useMemo } from "react";
import type { Line } from "../../../kit/chart.tsx";
import { statisticsTexts as texts } from "../../../text/zone-statistics.ts";

export function useLines(graph: readonly (readonly number[])[] | undefined): readonly Line[] {
  return useMemo(() => {
    const points = (graph ?? []).flatMap(([at, count]) =>
      at === undefined || count === undefined ? [] : [[at, count] as const],
    );
    const step = points.length > 1 ? points[1]![0] - points[0]![0] : 1;
    return [{ name: texts.queries, points: points.map(([at, count]) => [at, count / step] as const) }];
  }, [graph]);
}
