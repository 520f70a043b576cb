/** The columns of the log; the dashboard shows the same. */
import { Text } from "@mantine/core";
import type { ActivityEntry } from "../../api/types.ts";
import { visibleOf } from "../../kit/plain.ts";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { activityTexts as texts } from "../../text/activity.ts";
import { Thing } from "./thing.tsx";
import { actOf } from "./words.ts";

export const columns: readonly Column<ActivityEntry>[] = [
  { accessor: "timestamp", title: texts.when, render: ({ timestamp }) => <Time at={timestamp} /> },
  { accessor: "action", title: texts.act, render: actOf },
  { accessor: "resource_id", title: texts.thing, render: (entry) => <Thing entry={entry} /> },
  { accessor: "user_name", title: texts.who, render: (entry) => <Who entry={entry} /> },
  {
    accessor: "address",
    title: texts.address,
    render: ({ address }) => <span className="name">{address}</span>,
  },
];

const Who = ({ entry: { user_name, user_type } }: { readonly entry: ActivityEntry }) => (
  <span>
    <bdi>{visibleOf(user_name) || texts.service}</bdi>{" "}
    <Text component="span" inherit c="dimmed">
      {texts.kinds[user_type] ?? user_type}
    </Text>
  </span>
);
