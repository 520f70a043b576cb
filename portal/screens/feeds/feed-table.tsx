/** The feeds of a source: their values, how old these are, and what they steer. */
import { Text } from "@mantine/core";
import type { Feed, Source } from "../../api/types.ts";
import { visibleOf } from "../../kit/plain.ts";
import { State } from "../../kit/state.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { duration, Time, useNow } from "../../kit/time.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { FeedDetails } from "./feed-details.tsx";
import { freshnessOf } from "./freshness.ts";
import type { SourceType } from "./source-push.tsx";
import { Values } from "./value.tsx";

interface Props {
  readonly source: Source;
  readonly type: SourceType | undefined;
  readonly onChange: (id: string) => void;
}

const columns: readonly Column<Feed>[] = [
  {
    accessor: "name",
    title: texts.name,
    render: ({ name }) => (
      <Text inherit component="bdi" fw={600}>
        {visibleOf(name)}
      </Text>
    ),
  },
  { accessor: "data", title: texts.values, render: ({ data }) => <Values of={data} /> },
  { accessor: "state", title: texts.state, render: (feed) => <Freshness feed={feed} /> },
  {
    accessor: "pushed_at",
    title: texts.age,
    render: ({ pushed_at }) => <Time at={pushed_at} />,
  },
  {
    accessor: "max_age",
    title: texts.maxAge,
    render: ({ max_age }) => (max_age === null ? texts.always : duration(max_age)),
  },
  {
    accessor: "destinations",
    title: texts.steers,
    render: ({ destinations }) => texts.steersCount(destinations.length),
  },
];

function Freshness({ feed }: { readonly feed: Feed }) {
  const freshness = freshnessOf(feed);
  return <State is={freshness} text={texts.states[freshness]} />;
}

export function FeedTable({ source, type, onChange }: Props) {
  // values grow old while nothing is read
  useNow(1000);
  return (
    <Table
      label={texts.feedsLabel}
      rows={source.feeds}
      columns={columns}
      idOf={({ id }) => id}
      expanded={(feed) => <FeedDetails source={source} type={type} feed={feed} onChange={() => onChange(feed.id)} />}
    />
  );
}
