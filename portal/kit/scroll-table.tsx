/** A short table inside a page, which scrolls sideways by itself on a narrow screen. */
import { Table, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { kitTexts } from "../text/kit.ts";

interface Props {
  readonly label: string;
  readonly heads: readonly string[];
  /** Whether a last column has the buttons of each row. */
  readonly hasActs?: boolean;
  /** The rows. */
  readonly children: ReactNode;
}

export const ScrollTable = ({ label, heads, hasActs = false, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with keys
  <section className="scroll" tabIndex={0} aria-label={label}>
    <Table fz="sm" verticalSpacing={6} withTableBorder>
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
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </section>
);
