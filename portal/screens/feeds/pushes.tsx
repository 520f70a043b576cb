/** The last pushes to a feed or a source, also those that were refused. */
import { Table, Text, Title } from "@mantine/core";
import type { RecentPush } from "../../api/types.ts";
import { visibleOf } from "../../kit/plain.ts";
import { State } from "../../kit/state.tsx";
import { Time } from "../../kit/time.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { Values } from "./value.tsx";

export const Pushes = ({ pushes }: { readonly pushes: readonly RecentPush[] }) => (
  <div>
    <Title order={3}>{texts.pushes}</Title>
    {pushes.length === 0 && (
      <Text size="sm" c="dimmed">
        {texts.noPushes}
      </Text>
    )}
    <Table fz="sm" verticalSpacing={4}>
      <Table.Tbody>
        {pushes.map((push, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two pushes of one moment have no other identity
          <Table.Tr key={`${push.at} ${at}`}>
            <Table.Td style={{ whiteSpace: "nowrap" }}>
              <Time at={push.at} />
            </Table.Td>
            <Table.Td>
              <State is={push.result === "stored" ? "ok" : "refused"} text={texts.results[push.result]} />
            </Table.Td>
            <Table.Td>
              <Content push={push} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);

function Content({ push: { message, values, feeds, octets } }: { readonly push: RecentPush }) {
  if (message !== undefined) return <span className="name">{visibleOf(message)}</span>;
  return (
    <>
      {values ? <Values of={values} /> : texts.octets(octets)}
      {feeds !== undefined && (
        <Text component="span" inherit c="dimmed">
          {" "}
          {texts.toFeeds(feeds)}
        </Text>
      )}
    </>
  );
}
