/** The figures above the chart: queries of the period, and queries a second. */
import { Group, Text } from "@mantine/core";
import { useRead } from "../../kit/api.ts";
import { isPeriod, type Period } from "../../kit/time-range.tsx";
import { analyticsTexts as texts } from "../../text/analytics.ts";
import { kitTexts } from "../../text/kit.ts";
import { countText, rateText, type Usage } from "./usage.ts";

/** Milliseconds; edges report as often. */
const lookEvery = 10_000;

export function Figures({ total, period }: { readonly total: Usage | undefined; readonly period: Period }) {
  const { data, error } = useRead("GET /v1/stats/qps", { refetchInterval: lookEvery });
  // until the chosen period is read, the figure is that of the one before
  const shown = total !== undefined && isPeriod(total.period) ? total.period : period;
  return (
    <Group gap="xl" mb="sm">
      <Figure
        value={total === undefined ? undefined : countText(total.queries)}
        text={texts.inPeriod(kitTexts.ranges[shown])}
      />
      <Figure value={data && !error ? rateText(data.data.qps) : undefined} text={texts.now} />
    </Group>
  );
}

const Figure = ({ value, text }: { readonly value: string | undefined; readonly text: string }) => (
  <div>
    <Text fz={24} fw={600} lh={1.2}>
      {value ?? "–"}
    </Text>
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  </div>
);
