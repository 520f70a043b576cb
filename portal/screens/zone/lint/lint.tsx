/** Probable mistakes in the zone, each with its record. */
import { Alert, Stack, Text } from "@mantine/core";
import type { Reply } from "../../../api/client.ts";
import type { Zone } from "../../../api/types.ts";
import { PageLink } from "../../../app/link.tsx";
import { useRead } from "../../../kit/api.ts";
import { Empty } from "../../../kit/empty.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { fieldInWords } from "../../../kit/field-in-words.ts";
import { Name } from "../../../kit/name.tsx";
import { visibleOf } from "../../../kit/plain.ts";
import { relativeName } from "../../../kit/relative.ts";
import { type Column, Table } from "../../../kit/table.tsx";
import { lintTexts as texts } from "../../../text/zone-statistics.ts";

type Warning = Reply<"GET /v1/zones/{zone}/lint">["data"]["warnings"][number];

export function Lint({ zone: { zone } }: { readonly zone: Zone }) {
  const { data, error, isFetching, refetch } = useRead("GET /v1/zones/{zone}/lint", { path: { zone } });
  const { warnings = [], complete = true, records = 0 } = data?.data ?? {};
  const columns: readonly Column<Warning>[] = [
    {
      accessor: "domain",
      title: texts.record,
      render: ({ domain, type }) => (
        <PageLink to="record" params={{ zone, name: domain, type }}>
          <Name name={relativeName(domain, zone)} fw={600} /> {type}
        </PageLink>
      ),
    },
    {
      accessor: "message",
      title: texts.what,
      render: ({ message, code }) => (
        <>
          {visibleOf(message)}{" "}
          <Text span size="xs" c="dimmed">
            {code}
          </Text>
        </>
      ),
    },
    { accessor: "field", title: texts.field, render: ({ field }) => fieldInWords(field) },
  ];
  return (
    <Stack gap="sm">
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {!complete && <Alert color="yellow">{texts.incomplete}</Alert>}
      {data && warnings.length === 0 ? (
        <Empty title={texts.none} text={texts.noneText(records)} />
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {texts.about}
          </Text>
          <Table
            label={texts.label}
            rows={warnings}
            columns={columns}
            idOf={({ domain, type, field, code }) => `${domain}/${type}/${field}/${code}`}
            isLoading={isFetching}
          />
        </>
      )}
    </Stack>
  );
}
