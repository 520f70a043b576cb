/** An opened feed: what answers use now, what it steers, a push to try, and its change and removal. */
import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Feed, Source } from "../../api/types.ts";
import { useRead, useWrite } from "../../kit/api.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { DangerButton } from "../../kit/danger-button.tsx";
import { ErrorNote } from "../../kit/error-note.tsx";
import { visibleOf } from "../../kit/plain.ts";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { FeedValues } from "./feed-values.tsx";
import { PushForm, usePushed } from "./push-form.tsx";
import { Pushes } from "./pushes.tsx";
import type { SourceType } from "./source-push.tsx";
import { Steers } from "./steers.tsx";

interface Props {
  readonly source: Source;
  readonly type: SourceType | undefined;
  readonly feed: Feed;
  readonly onChange: () => void;
}

/** Milliseconds between two looks at the values. */
const lookEvery = 5000;
/** Records that are listed. */
const mostSteered = 50;

export function FeedDetails({ source, type, feed, onChange }: Props) {
  const [isDeleting, setDeleting] = useState(false);
  const [, refill] = usePushed(feed.id);
  const remove = useWrite("DELETE /v1/data/feeds/{sourceid}/{feedid}", ["GET /v1/data/sources"]);
  const path = { sourceid: source.id, feedid: feed.id };
  const { data, error, refetch } = useRead("GET /v1/data/feeds/{sourceid}/{feedid}/status", {
    path,
    query: { limit: mostSteered },
    refetchInterval: lookEvery,
  });
  return (
    <Stack p="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <Stack gap="lg">
          <ErrorNote error={error} onRetry={() => void refetch()} />
          {data && (
            <>
              <FeedValues values={data.data.values} />
              <Steers steers={data.data.steers} isCut={data.after !== undefined} />
              <Pushes pushes={data.data.pushes} {...(type && { onAgain: refill })} />
            </>
          )}
        </Stack>
        {/* not before the values above it: the form would move away while it is used */}
        {type && (data || error) && <PushForm feed={feed} keys={type.compatible_meta} />}
      </SimpleGrid>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={onChange}>
          {texts.changeFeed}
        </Button>
        <DangerButton size="compact-sm" onClick={() => setDeleting(true)}>
          {texts.deleteFeed}
        </DangerButton>
        <Text size="xs" c="dimmed">
          {texts.id} <span className="name">{feed.id}</span>
        </Text>
      </Group>
      {isDeleting && (
        <Confirm
          title={texts.deleteFeed}
          text={texts.deleteFeedText(visibleOf(feed.name), feed.destinations.length)}
          act={texts.deleteFeed}
          name={feed.destinations.length > 0 ? feed.name : undefined}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ path }, { onSuccess: () => setDeleting(false) })}
          onClose={() => setDeleting(false)}
        />
      )}
    </Stack>
  );
}
