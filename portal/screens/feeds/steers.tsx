/** What a feed steers: the places in records whose metadata name it. */
import { List, Text, Title } from "@mantine/core";
import type { Feed } from "../../api/types.ts";
import { PageLink } from "../../app/link.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";

export function Steers({ feed }: { readonly feed: Feed }) {
  const records = [...Map.groupBy(feed.destinations, ({ record }) => record)];
  return (
    <div>
      <Title order={3}>{texts.steers}</Title>
      {records.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.steersNothing}
        </Text>
      )}
      <List size="sm">
        {records.map(([record, places]) => (
          <List.Item key={record}>
            {kindsOf(places.map(({ desttype }) => desttype))} {texts.inRecord} <span className="name">{record}</span>{" "}
            <PageLink to="activity" search={{ id: record }}>
              {texts.history}
            </PageLink>
          </List.Item>
        ))}
      </List>
    </div>
  );
}

/** The kinds of places with their numbers, such as "an answer, a group (2)". */
const kindsOf = (kinds: readonly string[]) =>
  [...Map.groupBy(kinds, (kind) => kind)]
    .map(([kind, { length }]) => texts.steersKind(texts.kinds[kind] ?? kind, length))
    .join(", ");
