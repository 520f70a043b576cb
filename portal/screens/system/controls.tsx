/** The control processes that run now. */
import type { Reply } from "../../api/client.ts";
import { useReadAll } from "../../kit/api.ts";
import { type Column, Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { systemTexts as texts } from "../../text/system.ts";
import { Refused } from "./refused.tsx";

type Process = Reply<"GET /v1/operator/controls">["data"][number];

const columns: readonly Column<Process>[] = [
  {
    accessor: "id",
    title: texts.process,
    render: ({ id, self }) => (
      <>
        <span className="name">{id}</span>
        {self && ` (${texts.self})`}
      </>
    ),
  },
  { accessor: "host", title: texts.host },
  { accessor: "version", title: texts.version },
  { accessor: "leases", title: texts.leases, render: ({ leases }) => leases.join(", ") },
  { accessor: "started", title: texts.started, render: ({ started }) => <Time at={started} /> },
  { accessor: "seen_at", title: texts.seen, render: ({ seen_at }) => <Time at={seen_at} /> },
];

export function Controls() {
  const controls = useReadAll("GET /v1/operator/controls");
  if (controls.error) return <Refused error={controls.error} onRetry={controls.retry} />;
  return (
    <Table
      label={texts.pages.controls}
      rows={controls.rows}
      columns={columns}
      idOf={({ id }) => id}
      isLoading={controls.isLoading}
      onMore={controls.more}
      empty={texts.noControls}
    />
  );
}
