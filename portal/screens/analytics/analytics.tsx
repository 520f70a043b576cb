/** Queries over a period: of the account, by tier, by zone and by record. */
import { Button, Title } from "@mantine/core";
import { useRead } from "../../kit/api.ts";
import { Page } from "../../kit/page.tsx";
import { csvOf, saveFile } from "../../kit/save-file.ts";
import { TimeRange, usePeriod } from "../../kit/time-range.tsx";
import { analyticsTexts as texts } from "../../text/analytics.ts";
import { Breakdown } from "./breakdown.tsx";
import { ByZone } from "./by-zone.tsx";
import { Course } from "./course.tsx";
import { Figures } from "./figures.tsx";
import { useMarks } from "./marks.ts";
import { Mix } from "./mix.tsx";
import { mostFirst, type Usage } from "./usage.ts";
import { useZones } from "./use-zones.ts";

/** Milliseconds between two reads of what is shown. */
const lookEvery = 60_000;

export function Screen() {
  const [period] = usePeriod();
  const read = (query: object) => ({ query: { period, ...query }, refetchInterval: lookEvery });
  const account = useRead("GET /v1/stats/usage", read({}));
  const tiers = useRead("GET /v1/stats/usage", read({ by_tier: true }));
  const mix = useRead("GET /v1/stats/mix", read({}));
  const [total] = account.data?.data ?? [];
  const zones = useZones(period, total, lookEvery);
  const marks = useMarks(period, lookEvery);
  const error = account.error ?? zones.error ?? tiers.error ?? mix.error;
  const retry = () => [account, zones, tiers, mix].forEach(({ refetch }) => void refetch());
  const { rows } = zones;
  return (
    <Page
      title={texts.title}
      about={texts.about}
      error={error}
      onRetry={retry}
      acts={
        <>
          <TimeRange />
          <Button variant="default" disabled={rows.length === 0} onClick={() => saveCsv(rows)}>
            {texts.export}
          </Button>
        </>
      }
    >
      <Figures total={total} period={period} />
      {total && <Course total={total} marks={marks} />}
      <Title order={2} mt="lg" mb="xs">
        {texts.byZone}
      </Title>
      <ByZone
        zones={rows}
        total={total?.queries ?? 0}
        period={period}
        isLoading={zones.isLoading && account.error === null}
      />
      <Mix mix={mix.data?.data} />
      <Breakdown
        title={texts.byTier}
        head={texts.tier}
        parts={(tiers.data?.data ?? []).map(({ tier = 1, ...rest }) => ({ name: String(tier), ...rest }))}
        total={total?.queries ?? 0}
      />
    </Page>
  );
}

/** A row for each zone, and a column for each step of the period. */
function saveCsv(zones: readonly Usage[]): void {
  const times = [...new Set(zones.flatMap(({ graph }) => graph.map(([at = 0]) => at)))].sort((a, b) => a - b);
  const head = ["zone", "queries", ...times.map((at) => new Date(at * 1000).toISOString())];
  const rows = [...zones].sort(mostFirst).map(({ zone = "", queries, graph }) => {
    const steps = new Map(graph.map(([at = 0, count = 0]) => [at, count]));
    return [zone, queries, ...times.map((at) => steps.get(at) ?? 0)];
  });
  saveFile(`queries-${zones[0]?.period}.csv`, csvOf([head, ...rows]), "text/csv");
}
