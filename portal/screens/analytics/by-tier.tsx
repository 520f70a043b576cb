/** The queries by tier of the records. */
import { Table, Title } from "@mantine/core";
import { Share } from "../../kit/share.tsx";
import { Sparkline } from "../../kit/sparkline.tsx";
import { analyticsTexts as texts } from "../../text/analytics.ts";
import { countText, type Usage } from "./usage.ts";

export function ByTier({ tiers, total }: { readonly tiers: readonly Usage[]; readonly total: number }) {
  const rows = tiers.filter(({ queries }) => queries > 0);
  if (rows.length === 0) return null;
  return (
    <section>
      <Title order={2} mb="xs">
        {texts.byTier}
      </Title>
      <Table fz="sm" verticalSpacing={4} withTableBorder mb="lg">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.tier}</Table.Th>
            <Table.Th ta="right">{texts.queries}</Table.Th>
            <Table.Th>{texts.share}</Table.Th>
            <Table.Th visibleFrom="sm">{texts.course}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ tier = 1, queries, graph }) => (
            <Table.Tr key={tier}>
              <Table.Td>{tier}</Table.Td>
              <Table.Td ta="right">{countText(queries)}</Table.Td>
              <Table.Td>
                <Share part={queries} whole={total} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Sparkline points={graph} label={texts.courseOf(`${texts.tier} ${tier}`)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
