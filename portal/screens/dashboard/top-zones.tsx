/** The zones with the most queries, and the names of the busiest of them. */
import { Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { PageLink } from "../../app/link.tsx";
import { useRead } from "../../kit/api.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { Loading } from "../../kit/loading.tsx";
import { Name } from "../../kit/name.tsx";
import { Share } from "../../kit/share.tsx";
import type { Period } from "../../kit/time-range.tsx";
import { dashboardTexts as texts } from "../../text/dashboard.ts";
import { countText } from "../analytics/usage.ts";
import { Part } from "./part.tsx";

const limit = 8;
const limitNames = 5;

export function TopZones({ period }: { readonly period: Period }) {
  const { data, error, refetch } = useRead("GET /v1/stats/top", { query: { period, limit } });
  const { zones = [], queries: whole = 0 } = data?.data ?? {};
  const [first] = zones;
  return (
    <>
      <Part title={texts.topZones}>
        <ErrorNote error={error} onRetry={() => void refetch()} />
        {!data && !error && <Loading />}
        {data && zones.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noTop}
          </Text>
        )}
        <Table fz="sm" verticalSpacing={4} horizontalSpacing={0}>
          <Table.Tbody>
            {zones.map(({ zone, queries }) => (
              <Row key={zone} queries={queries} whole={whole}>
                <PageLink to="zone" params={{ zone }}>
                  <Name name={zone} />
                </PageLink>
              </Row>
            ))}
          </Table.Tbody>
        </Table>
      </Part>
      {first && <TopNames zone={first.zone} period={period} />}
    </>
  );
}

function TopNames({ zone, period }: { readonly zone: string; readonly period: Period }) {
  const query = { period, limit: limitNames };
  const { records = [], queries: whole = 0 } =
    useRead("GET /v1/stats/top/{zone}", { path: { zone }, query }).data?.data ?? {};
  if (records.length === 0) return null;
  return (
    <Part title={texts.topNames(zone)}>
      <Table fz="sm" verticalSpacing={4} horizontalSpacing={0}>
        <Table.Tbody>
          {records.map(({ domain, rectype, queries }) => (
            <Row key={`${domain} ${rectype}`} queries={queries} whole={whole}>
              <PageLink to="record" params={{ zone, name: domain, type: rectype }}>
                <Name name={domain} />
              </PageLink>{" "}
              {rectype}
            </Row>
          ))}
        </Table.Tbody>
      </Table>
    </Part>
  );
}

interface RowProps {
  readonly queries: number;
  readonly whole: number;
  readonly children: ReactNode;
}

const Row = ({ queries, whole, children }: RowProps) => (
  <Table.Tr>
    <Table.Td>{children}</Table.Td>
    <Table.Td ta="right" pe="sm">
      {countText(queries)}
    </Table.Td>
    <Table.Td w={124}>
      <Share part={queries} whole={whole} />
    </Table.Td>
  </Table.Tr>
);
