/** The columns of the table of records. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { PageLink } from "../../../app/link.tsx";
import { Name } from "../../../kit/name.tsx";
import { Sparkline } from "../../../kit/sparkline.tsx";
import type { Column } from "../../../kit/table.tsx";
import { recordsTexts as texts } from "../../../text/records.ts";
import { Answers } from "./answers.tsx";
import { Marks } from "./marks.tsx";
import type { Row } from "./row.ts";
import { RowEditor } from "./row-editor.tsx";
import type { Queries } from "./use-queries.ts";

interface Given {
  readonly zone: string;
  readonly queries: Queries | undefined;
  /** The ids of rows that are being edited. */
  readonly editing: ReadonlySet<string>;
  readonly canWrite: boolean;
  readonly onEdit: (row: Row) => void;
  readonly onClose: (row: Row) => void;
  readonly onDrop: (row: Row) => void;
}

/** Where the column of queries has room: beside the others, or in a card. */
const roomy = "(min-width: 75em), (max-width: 62em)";

export function columnsOf({
  zone,
  queries,
  editing,
  canWrite,
  onEdit,
  onClose,
  onDrop,
}: Given): readonly Column<Row>[] {
  const isGone = ({ edit }: Row) => edit?.action === "delete";
  return [
    {
      accessor: "name",
      title: texts.name,
      sortable: true,
      width: "22%",
      render: (row) => (
        <Stack gap={0}>
          <PageLink to="record" params={{ zone, name: row.domain, type: row.type }}>
            <Name name={row.name} fw={600} {...(isGone(row) ? { className: "name struck" } : {})} />
          </PageLink>
          <Marks row={row} />
        </Stack>
      ),
    },
    { accessor: "type", title: texts.type, sortable: true, width: 84 },
    {
      accessor: "ttl",
      title: texts.ttl,
      sortable: true,
      textAlign: "right",
      width: 84,
      render: ({ ttl, record }) => (
        <>
          {record && record.ttl !== ttl && <div className="struck">{record.ttl}</div>}
          {ttl}
        </>
      ),
    },
    {
      accessor: "answers",
      title: texts.answers,
      cellsStyle: () => ({ minWidth: 190 }),
      render: (row) =>
        editing.has(row.id) ? (
          <RowEditor zone={zone} row={row} onClose={() => onClose(row)} />
        ) : (
          <Answers row={row} isGone={isGone(row)} />
        ),
    },
    ...(queries
      ? [
          {
            accessor: "queries",
            title: texts.queries,
            width: 112,
            visibleMediaQuery: roomy,
            render: (row: Row) => <Asked row={row} queries={queries} />,
          },
        ]
      : []),
    ...(canWrite ? [{ accessor: "acts", title: "", textAlign: "right" as const, width: 172, render: acts }] : []),
  ];

  function acts(row: Row) {
    if (editing.has(row.id)) return null;
    return (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {!isGone(row) && <Act label={texts.editOf(row.name, row.type)} text={texts.edit} onClick={() => onEdit(row)} />}
        {row.edit && (
          <Act label={texts.undoEditOf(row.name, row.type)} text={texts.undoEdit} onClick={() => onDrop(row)} />
        )}
      </Group>
    );
  }
}

interface ActProps {
  readonly label: string;
  readonly text: string;
  readonly onClick: () => void;
}

const Act = ({ label, text, onClick }: ActProps) => (
  <Button variant="subtle" size="compact-xs" aria-label={label} onClick={onClick}>
    {text}
  </Button>
);

const quarter = 90 * 86_400;

/** The course of the queries for a record in the last quarter, or that there were none. */
function Asked({ row: { id, name, type, record }, queries }: { readonly row: Row; readonly queries: Queries }) {
  const graph = queries.get(id);
  if (graph) return <Sparkline points={graph} label={texts.queriesOf(name, type)} />;
  const isOld = record !== undefined && record.created_at < Date.now() / 1000 - quarter;
  return isOld ? (
    <Text size="xs" c="dimmed">
      {texts.notAsked}
    </Text>
  ) : null;
}
