/** A list of things: a filter or a hint, the button that adds one, and the rows; while there are none, how to begin. */
import { Box, Group, TextInput, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { kitTexts } from "../text/kit.ts";
import { useAddress } from "./address.ts";
import type { ReadAll } from "./api.ts";
import { Empty } from "./empty.tsx";
import { ErrorNote } from "./error-note.tsx";
import { type Column, Table, type TableProps } from "./table.tsx";

interface Props<T> extends Omit<TableProps<T>, "rows" | "isLoading" | "total" | "onMore" | "error"> {
  readonly read: ReadAll<T>;
  /** A hint or a choice, at the left above the rows. */
  readonly head?: ReactNode;
  readonly add?: ReactNode;
  /** The texts of a row in which the filter looks; without them there is no filter. */
  readonly textsOf?: (row: T) => readonly string[];
  /** Texts for an empty list, above the button that adds. */
  readonly first?: { readonly title: string; readonly text: ReactNode };
}

export function Listing<T>({ read, head, add, textsOf, first, ...table }: Props<T>) {
  const [filter, setFilter] = useAddress("q");
  const { rows, isLoading, isRead, error, total, more, retry } = read;
  const note = <ErrorNote error={error} onRetry={retry} />;
  if (error && rows.length === 0) return note;
  if (first && isRead && rows.length === 0) return <Empty {...first}>{add}</Empty>;
  const wanted = filter.trim().toLowerCase();
  const isFiltered = textsOf !== undefined && wanted !== "";
  const shown = isFiltered ? rows.filter((row) => textsOf(row).join(" ").toLowerCase().includes(wanted)) : rows;
  return (
    <>
      {note}
      {(head || add || textsOf) && (
        <Group mb="sm" gap="sm">
          {textsOf && (
            <TextInput
              aria-label={kitTexts.filter}
              placeholder={kitTexts.filter}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
            />
          )}
          {head}
          {add && <Box ms="auto">{add}</Box>}
        </Group>
      )}
      <Table
        empty={isFiltered ? kitTexts.noMatch : ""}
        {...table}
        rows={shown}
        isLoading={isLoading}
        total={isFiltered ? undefined : total}
        onMore={more}
        error={error}
      />
    </>
  );
}

/** The column with the buttons of each row. */
export const actsColumn = <T,>(acts: (row: T) => ReactNode): Column<T> => ({
  accessor: "acts",
  title: <VisuallyHidden>{kitTexts.acts}</VisuallyHidden>,
  textAlign: "right",
  render: (row) => (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {acts(row)}
    </Group>
  ),
});
