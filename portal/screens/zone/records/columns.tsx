/** The columns of the table of records. */
import { Button, Group, Stack } from "@mantine/core";
import { PageLink } from "../../../app/link.tsx";
import { Name } from "../../../kit/name.tsx";
import type { Column } from "../../../kit/table.tsx";
import { recordsTexts as texts } from "../../../text/records.ts";
import { Answers } from "./answers.tsx";
import { Marks } from "./marks.tsx";
import type { Row } from "./row.ts";
import { RowEditor } from "./row-editor.tsx";

interface Given {
  readonly zone: string;
  /** The ids of rows that are being edited. */
  readonly editing: ReadonlySet<string>;
  readonly canWrite: boolean;
  readonly onEdit: (row: Row) => void;
  readonly onClose: (row: Row) => void;
  readonly onDrop: (row: Row) => void;
}

const wide = "(min-width: 48em)";

export function columnsOf({ zone, editing, canWrite, onEdit, onClose, onDrop }: Given): readonly Column<Row>[] {
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
      visibleMediaQuery: wide,
      render: ({ ttl }) => ttl ?? "",
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
