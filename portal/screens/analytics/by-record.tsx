/** The records of a zone with their queries. */
import { Button, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { PageLink } from "../../app/link.tsx";
import { useRead } from "../../kit/api.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Name } from "../../kit/name.tsx";
import { Share } from "../../kit/share.tsx";
import { Sparkline } from "../../kit/sparkline.tsx";
import type { Period } from "../../kit/time-range.tsx";
import { analyticsTexts as texts } from "../../text/analytics.ts";
import { kitTexts } from "../../text/kit.ts";
import { countText, mostFirst, rateText, type Usage } from "./usage.ts";
import { useRecords } from "./use-zones.ts";

/** Records above this number are shown on demand. */
const shownAtFirst = 20;

export function ByRecord({ of, period }: { readonly of: Usage; readonly period: Period }) {
  const { zone = "", queries } = of;
  const [isWhole, setWhole] = useState(false);
  const { records: found, error, refetch } = useRecords(period, of);
  const rate = useRead("GET /v1/stats/qps/{zone}", { path: { zone }, refetchInterval: 10_000 }).data?.data.qps;
  const records = [...(found ?? [])].sort(mostFirst);
  const shown = isWhole ? records : records.slice(0, shownAtFirst);
  const others = Math.max(0, queries - records.reduce((sum, record) => sum + record.queries, 0));
  return (
    <Stack gap="xs" p="sm">
      <Text size="sm">{rate !== undefined && texts.rate(rateText(rate))}</Text>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {!found && !error && <Text size="sm">{kitTexts.loading}</Text>}
      {found && records.length === 0 && <Text size="sm">{texts.noRecords}</Text>}
      <Table fz="sm" verticalSpacing={4}>
        <Table.Tbody>
          {shown.map((record) => (
            <Row key={`${record.domain} ${record.rectype}`} zone={zone} record={record} whole={queries} />
          ))}
          {found && others > 0 && (
            <Table.Tr>
              <Table.Td>{texts.others}</Table.Td>
              <Table.Td ta="right">{countText(others)}</Table.Td>
              <Table.Td>
                <Share part={others} whole={queries} />
              </Table.Td>
              <Table.Td visibleFrom="sm" />
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
      {shown.length < records.length && (
        <Button size="compact-sm" variant="default" w="fit-content" onClick={() => setWhole(true)}>
          {texts.showAll(records.length)}
        </Button>
      )}
      {records.length > 0 && (
        <Text size="xs" c="dimmed">
          {texts.othersHint}
        </Text>
      )}
    </Stack>
  );
}

function Row({ zone, record, whole }: { readonly zone: string; readonly record: Usage; readonly whole: number }) {
  const { domain = "", rectype = "", queries, graph } = record;
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink to="record" params={{ zone, name: domain, type: rectype }}>
          <Name name={domain} />
        </PageLink>{" "}
        {rectype}
      </Table.Td>
      <Table.Td ta="right">{countText(queries)}</Table.Td>
      <Table.Td>
        <Share part={queries} whole={whole} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Sparkline points={graph} label={texts.courseOf(`${domain} ${rectype}`)} />
      </Table.Td>
    </Table.Tr>
  );
}
