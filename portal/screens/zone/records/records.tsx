/** The records of the zone: search, edits in the rows, and what the draft has. */
import { Alert, Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useDeferredValue, useMemo, useState } from "react";
import type { Zone } from "../../../api/types.ts";
import { useOpen } from "../../../app/link.tsx";
import { useAddress } from "../../../kit/address.ts";
import { useDraft } from "../../../kit/draft.ts";
import { Empty } from "../../../kit/empty.tsx";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { useKept } from "../../../kit/kept.ts";
import { useKnownTypes } from "../../../kit/record-types.ts";
import { Table } from "../../../kit/table.tsx";
import { recordsTexts as texts } from "../../../text/records.ts";
import { AddRecords } from "./add-records.tsx";
import { columnsOf } from "./columns.tsx";
import { DraftBar } from "./draft-bar.tsx";
import { Past, useMoment } from "./past.tsx";
import { type Row, rowsOf, selectRows } from "./row.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useQueries } from "./use-queries.ts";
import { useRecords } from "./use-records.ts";

export function Records({ zone }: { readonly zone: Zone }) {
  const name = zone.zone;
  const open = useOpen();
  const draft = useDraft();
  const known = useKnownTypes();
  const moment = useMoment();
  const [search, setSearch] = useAddress("q");
  const [type, setType] = useAddress("type");
  const [sort] = useAddress("sort", "name");
  const [editing, setEditing] = useKept<readonly string[]>(`editing:${name}`, []);
  const [isAdding, setAdding] = useKept(`adding:${name}`, false);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const read = useRecords(name, moment);

  const isPast = moment.at !== undefined || moment.version !== undefined;
  const isOther = zone.link !== null || zone.secondary?.["enabled"] === true;
  const canWrite = !isPast && !isOther;
  const edits = isPast ? noEdits : draft.edits;
  const all = useMemo(() => rowsOf(name, read.records, edits, known), [name, read.records, edits, known]);
  // the rows as they are now: an edit may have come since they were selected
  const selected = useMemo(() => all.filter(({ id }) => selectedIds.has(id)), [all, selectedIds]);
  const wanted = useDeferredValue(search);
  const rows = useMemo(() => selectRows(all, { search: wanted, type, sort }, name), [all, wanted, type, sort, name]);
  const types = useMemo(() => [...new Set(all.map((row) => row.type))].sort(), [all]);

  const select = (chosen: readonly Row[]) => setSelectedIds(new Set(chosen.map(({ id }) => id)));
  const edit = (row: Row) => {
    if (row.isSteered || row.link !== null)
      open({ to: "record", params: { zone: name, name: row.domain, type: row.type } });
    else setEditing([...editing.filter((id) => id !== row.id), row.id]);
  };
  const queries = useQueries(name, read.isComplete ? read.records.length : undefined);
  const columns = columnsOf({
    zone: name,
    queries: isPast ? undefined : queries,
    editing: new Set(canWrite ? editing : []),
    canWrite,
    onEdit: edit,
    onClose: ({ id }) => setEditing(editing.filter((other) => other !== id)),
    onDrop: (row) => row.edit && draft.drop([row.edit]),
  });
  const isEmpty = read.isComplete && all.length === 0;
  return (
    <Stack gap="sm">
      {isPast && <Past moment={moment} zone={name} />}
      {isOther && <Alert color="gray">{zone.link === null ? texts.secondary : texts.linkedZone(zone.link)}</Alert>}
      <ErrorNote error={read.error} onRetry={read.retry} />
      {canWrite && <DraftBar zone={name} />}
      {!isEmpty && (
        <Group gap="xs">
          <TextInput
            aria-label={texts.search}
            placeholder={texts.search}
            flex={1}
            maw={360}
            miw={160}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Select
            aria-label={texts.type}
            placeholder={texts.allTypes}
            clearable
            searchable
            w={140}
            data={types}
            value={type === "" ? null : type}
            onChange={(next) => setType(next ?? "")}
          />
          {canWrite && !isAdding && <Button onClick={() => setAdding(true)}>{texts.add}</Button>}
        </Group>
      )}
      {canWrite && (isAdding || isEmpty) && <AddRecords zone={name} rows={all} onClose={() => setAdding(false)} />}
      {selected.length > 0 && canWrite && (
        <SelectionBar zone={name} selected={selected} rows={rows} onSelect={select} />
      )}
      {isEmpty ? (
        <Empty title={texts.emptyTitle} text={texts.emptyText} />
      ) : (
        <Table
          label={texts.label}
          rows={rows}
          columns={columns}
          idOf={({ id }) => id}
          isLoading={read.isLoading}
          onMore={read.more}
          sortedBy="name"
          hasActs
          onOpen={(row) => open({ to: "record", params: { zone: name, name: row.domain, type: row.type } })}
          {...(canWrite && { onEdit: edit, selected, onSelect: select })}
          empty={read.isComplete ? texts.none : ""}
        />
      )}
      {read.more && <Alert color="yellow">{texts.some(read.records.length, read.total ?? 0)}</Alert>}
    </Stack>
  );
}

const noEdits: readonly never[] = [];
