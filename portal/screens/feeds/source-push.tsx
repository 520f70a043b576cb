/** A push to a source that can be pasted into a shell. */
import { Code, Group, Paper, Text, Title } from "@mantine/core";
import type { Reply } from "../../api/client.ts";
import type { Source } from "../../api/types.ts";
import { Copy, curlOf } from "../../kit/copy-as.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { labelOf } from "./freshness.ts";

export type SourceType = Reply<"GET /v1/data/sourcetypes">["data"][string];

interface Props {
  readonly source: Source;
  /** Undefined for a type that the catalogue does not have. */
  readonly type: SourceType | undefined;
}

/** Feeds in the example. */
const shownFeeds = 3;

export function SourcePush({ source, type }: Props) {
  const isOpen = type?.feed_config["label"] !== undefined;
  const push = curlOf("POST", `/v1/feed/${source.id}`, exampleOf(source));
  return (
    <Paper withBorder p="sm" mb="md">
      <Group justify="space-between">
        <Title order={2}>{texts.push}</Title>
        {isOpen && <Copy text={push} />}
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {isOpen ? texts.pushAbout : texts.pushAboutOther}
      </Text>
      {isOpen && <Code block>{push}</Code>}
    </Paper>
  );
}

/** The present values of the feeds, so that pasting them changes nothing; `up` for feeds without values. */
function exampleOf({ feeds }: Source): object {
  const shown = feeds.slice(0, shownFeeds).map((feed) => {
    const { data } = feed;
    return [labelOf(feed) ?? feed.name, Object.keys(data).length === 0 ? { up: true } : data] as const;
  });
  return shown.length === 0 ? { up: true } : Object.fromEntries(shown);
}
