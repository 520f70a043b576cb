/** The queries for the zone in a period, and its records by queries. */
import { Group, Stack, Text, Title } from "@mantine/core";
import type { Zone } from "../../../api/types.ts";
import { PageLink } from "../../../app/link.tsx";
import { useRead } from "../../../kit/api.ts";
import { Chart, shortNumber } from "../../../kit/chart.tsx";
import { Empty } from "../../../kit/empty.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Name } from "../../../kit/name.tsx";
import { relativeName } from "../../../kit/relative.ts";
import { type Column, Table } from "../../../kit/table.tsx";
import { type Period, TimeRange, usePeriod } from "../../../kit/time-range.tsx";
import { statisticsTexts as texts } from "../../../text/zone-statistics.ts";
import { Breakdown } from "../../analytics/breakdown.tsx";
import { Mix } from "../../analytics/mix.tsx";
import { useLines } from "./lines.ts";
import { Tail } from "./tail.tsx";

interface Count {
  readonly domain?: string;
  readonly rectype?: string;
  readonly queries: number;
}

/** Milliseconds between two looks at the rate. */
const every = 10_000;
/** Missing names in view. */
const mostMissing = 20;

export function Statistics({ zone: { zone } }: { readonly zone: Zone }) {
  const [period] = usePeriod();
  const path = { zone };
  const usage = useRead("GET /v1/stats/usage/{zone}", { path, query: { period, aggregate: true } });
  const records = useRead("GET /v1/stats/usage/{zone}", { path, query: { period, expand: true } });
  const rate = useRead("GET /v1/stats/qps/{zone}", { path, refetchInterval: every });
  const mix = useRead("GET /v1/stats/mix/{zone}", { path, query: { period } });
  const missing = useRead("GET /v1/stats/missing/{zone}", {
    path,
    query: { period: isLong(period) ? "30d" : "24h", limit: mostMissing },
  });
  const total = usage.data?.data[0]?.queries ?? 0;
  const lines = useLines(usage.data?.data[0]?.graph);
  const rows: readonly Count[] = (records.data?.data ?? [])
    .filter(({ domain }) => domain !== undefined)
    .sort((a, b) => b.queries - a.queries);
  const columns: readonly Column<Count>[] = [
    {
      accessor: "domain",
      title: texts.name,
      render: ({ domain = "", rectype = "" }) => (
        <PageLink to="record" params={{ zone, name: domain, type: rectype }} c="bright">
          <Name name={relativeName(domain, zone)} fw={600} />
        </PageLink>
      ),
    },
    { accessor: "rectype", title: texts.type },
    { accessor: "queries", title: texts.count, textAlign: "right", render: ({ queries }) => shortNumber(queries) },
    {
      accessor: "share",
      title: texts.share,
      textAlign: "right",
      render: ({ queries }) => (total === 0 ? "" : percent.format(queries / total)),
    },
  ];
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm">
          {rate.data && texts.now(shortNumber(rate.data.data.qps))}
          {usage.data && ` · ${texts.total(shortNumber(total))}`}
        </Text>
        <TimeRange />
      </Group>
      <ErrorNote
        error={usage.error ?? records.error ?? mix.error ?? missing.error}
        onRetry={() => [usage, records, mix, missing].forEach(({ refetch }) => void refetch())}
      />
      {usage.data && total === 0 ? (
        <Empty title={texts.none} text={texts.noneHint} />
      ) : (
        <>
          <Chart label={texts.queries} lines={lines} />
          <Title order={2}>{texts.records}</Title>
          <Table
            label={texts.records}
            rows={rows}
            columns={columns}
            idOf={({ domain, rectype }) => `${domain}/${rectype}`}
            isLoading={records.isFetching}
          />
          <Text size="xs" c="dimmed">
            {texts.estimated}
          </Text>
          <Mix mix={mix.data?.data} />
          <Breakdown
            title={isLong(period) ? texts.missingOfMonth : texts.missingOfDay}
            head={texts.name}
            parts={(missing.data?.data.names ?? []).map(({ domain, queries }) => ({ name: domain, queries }))}
            total={total}
          />
        </>
      )}
      <Tail zone={zone} />
    </Stack>
  );
}

/** Periods for which the service knows no missing names get those of the nearest one. */
const isLong = (period: Period) => period === "30d" || period === "90d";

const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
