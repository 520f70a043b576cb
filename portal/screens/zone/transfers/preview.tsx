/** The records as a transfer contains them. */
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { TransferredRecord } from "../../../api/types.ts";
import { useReadAll } from "../../../kit/api.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Lines } from "../../../kit/lines.tsx";
import { Name } from "../../../kit/name.tsx";
import { relativeName } from "../../../kit/relative.ts";
import { type Column, Table } from "../../../kit/table.tsx";
import { transfersTexts as texts } from "../../../text/zone-transfers.ts";
import { Section } from "../settings/section.tsx";

export function Preview({ zone }: { readonly zone: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <Section title={texts.previewTitle} about={texts.previewAbout}>
      {isShown ? (
        <Sent zone={zone} />
      ) : (
        <Group>
          <Button variant="default" onClick={() => setShown(true)}>
            {texts.previewShow}
          </Button>
        </Group>
      )}
    </Section>
  );
}

function Sent({ zone }: { readonly zone: string }) {
  const read = useReadAll("GET /v1/zones/{zone}/transfer", { path: { zone }, query: { limit: 500 } });
  const columns: readonly Column<TransferredRecord>[] = [
    { accessor: "domain", title: texts.name, render: ({ domain }) => <Name name={relativeName(domain, zone)} /> },
    { accessor: "type", title: texts.type },
    {
      accessor: "records",
      title: texts.records,
      render: ({ records }) => <Lines texts={records} most={6} />,
    },
    { accessor: "flattening", title: texts.flattening },
  ];
  return (
    <>
      <ErrorNote error={read.error} onRetry={read.retry} />
      <Table
        label={texts.previewTitle}
        rows={read.rows}
        columns={columns}
        idOf={({ domain, type }) => `${domain}/${type}`}
        isLoading={read.isLoading}
        total={read.total}
        onMore={read.more}
      />
    </>
  );
}
