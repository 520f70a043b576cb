/** The edges: how far each has followed, and what it answers. */
import { Text } from "@mantine/core";
import type { Reply } from "../../api/client.ts";
import { useReadAll } from "../../kit/api.ts";
import { Listing } from "../../kit/listing.tsx";
import { octetsText } from "../../kit/octets.ts";
import { State, type StateName } from "../../kit/state.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { systemTexts as texts } from "../../text/system.ts";

type Edge = Reply<"GET /v1/operator/edges">["data"][number];

/** Seconds without a report after which an edge's state is old: it reports twice a minute. */
const late = 90;

function stateOf({ age, behind, differing }: Edge): StateName {
  if (age > late) return "stale";
  if (differing > 0) return "refused";
  return behind > 0 ? "behind" : "ok";
}

const number = (value: number | null) => (value === null ? "" : new Intl.NumberFormat().format(Math.round(value)));

const columns: readonly Column<Edge>[] = [
  { accessor: "id", title: texts.edge, render: ({ id }) => <span className="name">{id}</span> },
  {
    accessor: "behind",
    title: texts.state,
    render: (edge) => <State is={stateOf(edge)} {...(edge.differing > 0 && { text: texts.differs(edge.differing) })} />,
  },
  {
    accessor: "revision",
    title: texts.revision,
    textAlign: "right",
    render: ({ revision, behind }) => (
      <>
        {revision}
        {behind > 0 && <Text span c="dimmed">{` (-${behind})`}</Text>}
      </>
    ),
  },
  {
    accessor: "networks",
    title: texts.networks,
    render: ({ networks }) => networks?.join(", ") ?? texts.all,
  },
  { accessor: "version", title: texts.version, render: ({ version }) => version ?? "" },
  { accessor: "queries", title: texts.queries, textAlign: "right", render: ({ queries }) => number(queries) },
  {
    accessor: "zones",
    title: texts.zones,
    textAlign: "right",
    render: ({ zones }) => number(zones),
  },
  {
    accessor: "records",
    title: texts.records,
    textAlign: "right",
    render: ({ records }) => number(records),
  },
  {
    accessor: "memory",
    title: texts.memory,
    textAlign: "right",
    render: ({ memory }) => (memory === null ? "" : octetsText(memory)),
  },
  { accessor: "seen_at", title: texts.seen, render: ({ seen_at }) => <Time at={seen_at} /> },
];

export const Edges = () => (
  <Listing
    read={useReadAll("GET /v1/operator/edges")}
    label={texts.pages.edges}
    columns={columns}
    idOf={({ id }) => id}
    empty={texts.noEdges}
  />
);
