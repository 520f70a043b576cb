/** Queries over time as a chart, with marks of changes. */
import { Text } from "@mantine/core";
import { useMemo } from "react";
import { Chart, type Mark } from "../../kit/chart.tsx";
import { analyticsTexts as texts } from "../../text/analytics.ts";
import { pointsOf, type Usage } from "./usage.ts";

interface Props {
  readonly total: Usage;
  readonly marks?: readonly Mark[];
  readonly height?: number;
}

const none: readonly Mark[] = [];

export function Course({ total, marks = none, height = 220 }: Props) {
  const lines = useMemo(() => [{ name: texts.queries, points: pointsOf(total) }], [total]);
  if (total.graph.length === 0) return <Text size="sm">{texts.noQueries}</Text>;
  return (
    <>
      <Chart label={texts.chart} lines={lines} marks={marks} height={height} isStepped />
      <Text size="xs" c="dimmed">
        {texts.unfinished} {marks.length > 0 && texts.marks}
      </Text>
    </>
  );
}
