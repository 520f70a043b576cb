/** The state of the store. */
import { Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useRead } from "../../kit/api.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { octetsText } from "../../kit/octets.ts";
import { Time } from "../../kit/time.tsx";
import { systemTexts as texts } from "../../text/system.ts";

export function Store() {
  const { data, error, refetch } = useRead("GET /v1/operator/store", { refetchInterval: 10_000 });
  if (!data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  const {
    server,
    embedded,
    started,
    size,
    schema,
    epoch,
    revision,
    live_revision,
    unnumbered,
    connections,
    replication,
    disk,
  } = data.data;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [texts.server, embedded ? `${server}, ${texts.embedded}` : server],
    [texts.started, <Time key="started" at={started} />],
    [texts.size, octetsText(size)],
    [texts.disk, `${texts.of(octetsText(disk.free), octetsText(disk.size))}: ${disk.directory}`],
    [texts.schema, schema],
    [
      texts.epoch,
      <>
        {epoch}{" "}
        <Text span size="xs" c="dimmed">
          {texts.epochHint}
        </Text>
      </>,
    ],
    [texts.revision, revision],
    [texts.liveRevision, live_revision],
    [texts.unnumbered, unnumbered],
    [texts.connections, texts.of(String(connections.used), String(connections.most))],
    [texts.synchronous, replication.synchronous || texts.none],
    [
      texts.standbys,
      replication.standbys.length === 0
        ? texts.none
        : replication.standbys.map(({ name, state, sync, behind }) => (
            <div key={name}>
              {[name, state, sync, behind === null ? null : octetsText(behind)]
                .filter((part) => part !== null)
                .join(", ")}
            </div>
          )),
    ],
  ];
  return (
    <Table maw={760} variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={220}>{name}</Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
