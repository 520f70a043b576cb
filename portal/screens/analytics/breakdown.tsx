/** Queries in parts, each with its share and its course. */
import { Table, Title } from "@mantine/core";
import { Name } from "../../kit/name.tsx";
import { Share } from "../../kit/share.tsx";
import { Sparkline } from "../../kit/sparkline.tsx";
import { analyticsTexts as texts } from "../../text/analytics.ts";
import { countText, type Usage } from "./usage.ts";

interface Part extends Pick<Usage, "queries"> {
  readonly name: string;
  /** Undefined when the course is not known. */
  readonly graph?: Usage["graph"];
}

interface Props {
  readonly title: string;
  /** The head of the column of names. */
  readonly head: string;
  readonly parts: readonly Part[];
  readonly total: number;
}

export function Breakdown({ title, head, parts, total }: Props) {
  const rows = parts.filter(({ queries }) => queries > 0);
  if (rows.length === 0) return null;
  const hasCourse = rows.some(({ graph }) => graph !== undefined);
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Table fz="sm" verticalSpacing={4} withTableBorder mb="lg">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{head}</Table.Th>
            <Table.Th ta="right">{texts.queries}</Table.Th>
            <Table.Th>{texts.share}</Table.Th>
            {hasCourse && <Table.Th visibleFrom="sm">{texts.course}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, queries, graph }) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Name name={name} />
              </Table.Td>
              <Table.Td ta="right">{countText(queries)}</Table.Td>
              <Table.Td>
                <Share part={queries} whole={total} />
              </Table.Td>
              {hasCourse && (
                <Table.Td visibleFrom="sm">
                  {graph && <Sparkline points={graph} label={texts.courseOf(`${head} ${name}`)} />}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
