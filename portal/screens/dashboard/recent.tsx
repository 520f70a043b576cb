/** The last changes of the account, as the activity log has them. */
import { Table, Text } from "@mantine/core";
import type { ActivityEntry } from "../../api/types.ts";
import { PageLink } from "../../app/link.tsx";
import { Loading } from "../../kit/loading.tsx";
import { visibleOf } from "../../kit/plain.ts";
import { Time } from "../../kit/time.tsx";
import { activityTexts } from "../../text/activity.ts";
import { dashboardTexts as texts } from "../../text/dashboard.ts";
import { Thing } from "../activity/thing.tsx";
import { actOf } from "../activity/words.ts";
import { Part } from "./part.tsx";

const shown = 8;

/** `entries` is undefined while they are being read. */
export function Recent({ entries }: { readonly entries: readonly ActivityEntry[] | undefined }) {
  return (
    <Part
      title={texts.recent}
      more={
        <PageLink to="activity" fz="sm">
          {texts.allRecent}
        </PageLink>
      }
    >
      {!entries && <Loading />}
      {entries?.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noRecent}
        </Text>
      )}
      <Table fz="sm" verticalSpacing={6} horizontalSpacing={0}>
        <Table.Tbody>
          {entries?.slice(0, shown).map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td pe="md" style={{ whiteSpace: "nowrap" }}>
                <PageLink to="activity" search={{ open: entry.id }} c="dimmed">
                  <Time at={entry.timestamp} />
                </PageLink>
              </Table.Td>
              <Table.Td>
                {actOf(entry)} <Thing entry={entry} />
              </Table.Td>
              <Table.Td ta="right" visibleFrom="sm">
                <bdi>{visibleOf(entry.user_name) || activityTexts.service}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Part>
  );
}
