/** The control processes that run now. */
import type { Reply } from "../../api/client.ts";
import { useReadAll } from "../../kit/api.ts";
import { Listing } from "../../kit/listing.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { systemTexts as texts } from "../../text/system.ts";

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

export const Controls = () => (
  <Listing
    read={useReadAll("GET /v1/operator/controls")}
    label={texts.pages.controls}
    columns={columns}
    idOf={({ id }) => id}
    empty={texts.noControls}
  />
);
