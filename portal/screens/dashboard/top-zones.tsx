/** The zones with the most queries. */
import { Table, Text } from "@mantine/core";
import { PageLink } from "../../app/link.tsx";
import { useRead } from "../../kit/api.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Name } from "../../kit/name.tsx";
import { Sparkline } from "../../kit/sparkline.tsx";
import type { Period } from "../../kit/time-range.tsx";
import { analyticsTexts } from "../../text/analytics.ts";
import { dashboardTexts as texts } from "../../text/dashboard.ts";
import { countText, mostFirst } from "../analytics/usage.ts";
import { Part } from "./part.tsx";

const shown = 8;

export function TopZones({ period }: { readonly period: Period }) {
  const { data, error, refetch } = useRead("GET /v1/stats/usage", { query: { period, expand: true } });
  const zones = [...(data?.data ?? [])].sort(mostFirst).slice(0, shown);
  return (
    <Part title={texts.topZones}>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data && zones.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noTop}
        </Text>
      )}
      <Table fz="sm" verticalSpacing={4} horizontalSpacing={0}>
        <Table.Tbody>
          {zones.map(({ zone = "", queries, graph }) => (
            <Table.Tr key={zone}>
              <Table.Td>
                <PageLink to="zone" params={{ zone }}>
                  <Name name={zone} />
                </PageLink>
              </Table.Td>
              <Table.Td ta="right">{countText(queries)}</Table.Td>
              <Table.Td ta="right" w={112}>
                <Sparkline points={graph} label={analyticsTexts.courseOf(zone)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Part>
  );
}
