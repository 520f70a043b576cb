/** Lists: dense rows with keys (j, k, Enter, x), sorting in the address, more rows on demand; cards on a narrow screen. */
import { Button, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { DataTable, type DataTableColumn, type DataTableProps, type DataTableSortStatus } from "mantine-datatable";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { ApiError } from "../api/client.ts";
import { isTyping } from "../app/keys.tsx";
import { kitTexts } from "../text/kit.ts";
import { useAddress } from "./address.ts";
import { cardCell, cardRow } from "./card-cells.ts";
import classes from "./table.module.css";

export type Column<T> = DataTableColumn<T>;

export interface TableProps<T> {
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly idOf: (row: T) => string;
  readonly isLoading?: boolean | undefined;
  /** The number of rows in all pages. */
  readonly total?: number | undefined;
  /** Reads more rows; undefined when there are no more. */
  readonly onMore?: (() => void) | undefined;
  /** Opens a row: a click on it, or Enter. */
  readonly onOpen?: ((row: T) => void) | undefined;
  /** Whether only Enter opens a row, since its cells have acts of their own. */
  readonly hasActs?: boolean | undefined;
  /** Edits a row: the key `e`. */
  readonly onEdit?: ((row: T) => void) | undefined;
  readonly selected?: readonly T[] | undefined;
  readonly onSelect?: ((rows: T[]) => void) | undefined;
  /** The column by which rows are sorted unless the address says another; `-name` is descending. */
  readonly sortedBy?: string | undefined;
  /** The text for no rows; not shown when they could not be read. */
  readonly empty?: string | undefined;
  readonly error?: ApiError | null;
  readonly label: string;
  /** Details that open below a row, by a click on it or Enter; the address says which rows are open. */
  readonly expanded?: ((row: T) => ReactNode) | undefined;
}

const here = { boxShadow: "inset 2px 0 0 var(--mantine-primary-color-filled)" };
/** Rows that are shown at first; more are shown on demand, so that the page stays small. */
const page = 100;

export function Table<T>({ rows, columns, idOf, label, ...props }: TableProps<T>) {
  const { isLoading = false, total, onMore, onOpen, selected, onSelect, sortedBy, expanded } = props;
  const { hasActs = false, onEdit, error = null } = props;
  // what stands beside rows would be unseen, but read aloud
  const empty = error === null && !isLoading && rows.length === 0 ? (props.empty ?? "") : "";
  const [sort, setSort] = useAddress("sort", sortedBy ?? "");
  const [openIds, setOpenIds] = useAddress("open");
  const [at, setAt] = useState(-1);
  const [pages, setPages] = useState(1);
  const shown = rows.slice(0, pages * page);
  const body = useRef<HTMLDivElement>(null);
  const opened = openIds === "" ? [] : openIds.split(",");
  const openRows = (ids: readonly unknown[]) => setOpenIds(ids.join(","));
  const toggle = (id: string) => openRows(opened.includes(id) ? opened.filter((one) => one !== id) : [...opened, id]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const row = shown[at];
      // otherwise Enter would press the button that was clicked last
      if (/^[jk]$/.test(event.key) && event.target instanceof HTMLElement) event.target.blur();
      if (event.key === "j") setAt(Math.min(at + 1, shown.length - 1));
      else if (event.key === "k") setAt(Math.max(at - 1, 0));
      else if (event.key === "Enter" && row && onOpen && event.target === document.body) onOpen(row);
      else if (event.key === "Enter" && row && expanded && event.target === document.body) toggle(idOf(row));
      else if (event.key === "e" && row && onEdit) {
        event.preventDefault();
        onEdit(row);
      } else if (event.key === "x" && row && onSelect) {
        const has = selected?.some((one) => idOf(one) === idOf(row)) ?? false;
        onSelect(has ? (selected ?? []).filter((one) => idOf(one) !== idOf(row)) : [...(selected ?? []), row]);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the row that is marked in the page changes with `at`
  useEffect(() => {
    body.current?.querySelector("[data-at]")?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const asCards = columns.map((column, at) => ({
    ...column,
    customCellAttributes: () => cardCell(at, column.title),
  }));
  const given = {
    "aria-label": label,
    role: "table",
    classNames: { table: classes["cards"] },
    records: shown,
    columns: expanded ? [toggleColumn(idOf, opened), ...asCards] : asCards,
    idAccessor: idOf,
    fetching: isLoading && rows.length === 0,
    minHeight: rows.length === 0 ? 140 : 0,
    noRecordsText: empty,
    ...(empty === "" && { emptyState: <span /> }),
    verticalSpacing: 6,
    fz: "sm",
    withTableBorder: true,
    borderRadius: "sm",
    highlightOnHover: true,
    customRowAttributes: (_: T, index: number) => ({ ...cardRow, ...(index === at && { "data-at": "" }) }),
    rowStyle: (_: T, index: number) => (index === at ? here : undefined),
    ...(onOpen &&
      !hasActs && {
        // a link in the row opens as links do, in another tab, too
        onRowClick: ({ record, event }: { record: T; event: MouseEvent }) =>
          event.target instanceof Element && event.target.closest("a, button") ? undefined : onOpen(record),
      }),
    // rows in which nothing can be pressed must be reached by keys where they scroll sideways
    ...(!onOpen && !onSelect && !expanded && { scrollAreaProps: { viewportProps: { tabIndex: 0 } } }),
    ...(onSelect && {
      selectedRecords: selected ?? [],
      onSelectedRecordsChange: onSelect,
      allRecordsSelectionCheckboxProps: { "aria-label": kitTexts.selectAll },
      getRecordSelectionCheckboxProps: (row: T) => ({ "aria-label": kitTexts.selectRow(idOf(row)) }),
    }),
    ...(sortedBy !== undefined && {
      sortStatus: { columnAccessor: sort.replace(/^-/, ""), direction: sort.startsWith("-") ? "desc" : "asc" },
      onSortStatusChange: ({ columnAccessor, direction }: DataTableSortStatus<T>) =>
        setSort(`${direction === "desc" ? "-" : ""}${String(columnAccessor)}`),
    }),
    ...(expanded && {
      rowExpansion: {
        allowMultiple: true,
        expanded: { recordIds: opened, onRecordIdsChange: openRows },
        content: ({ record }: { record: T }) => expanded(record),
      },
    }),
  };
  const isMore = shown.length < rows.length || onMore !== undefined;
  const showMore = () => (shown.length < rows.length ? setPages(pages + 1) : onMore?.());
  return (
    <Stack gap="xs" ref={body}>
      <DataTable<T> {...(given as DataTableProps<T>)} />
      <Group justify="space-between">
        <Text size="xs" c="dimmed" role="status">
          {rows.length > 0 && kitTexts.rows(shown.length, total ?? rows.length)}
        </Text>
        {isMore && (
          <Button variant="default" size="compact-sm" loading={isLoading} onClick={showMore}>
            {kitTexts.more}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** A button for the keyboard and for screen readers: its click reaches the row, which opens. */
function toggleColumn<T>(idOf: (row: T) => string, opened: readonly string[]): Column<T> {
  return {
    accessor: "open",
    title: "",
    width: 32,
    render: (row) => {
      const isOpen = opened.includes(idOf(row));
      return (
        <UnstyledButton aria-expanded={isOpen} aria-label={kitTexts.details} c="dimmed">
          {isOpen ? "▾" : "▸"}
        </UnstyledButton>
      );
    },
  };
}
