/** A short table inside a page, which scrolls sideways by itself; on a narrow screen each row is a card. */
import { Table, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { kitTexts } from "../text/kit.ts";
import { cardCell, cardRow } from "./card-cells.ts";
import classes from "./table.module.css";

interface Props {
  readonly label: string;
  readonly heads: readonly string[];
  /** Cells in the order of the heads; a further one has the buttons of the row. */
  readonly rows: readonly { readonly id: string | number; readonly cells: readonly ReactNode[] }[];
}

export function ScrollTable({ label, heads, rows }: Props) {
  const hasActs = rows.some(({ cells }) => cells.length > heads.length);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with keys
    <section className="scroll" tabIndex={0} aria-label={label}>
      <Table fz="sm" verticalSpacing={6} withTableBorder role="table" className={classes["cards"] ?? ""}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
            {hasActs && (
              <Table.Th>
                <VisuallyHidden>{kitTexts.acts}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, cells }) => (
            <Table.Tr key={id} {...cardRow}>
              {cells.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other identity than its column
                <Table.Td key={at} {...cardCell(at, heads[at])} {...(at === heads.length && { ta: "right" })}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
