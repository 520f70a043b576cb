/** The page without sources: an explanation of feeds, a push, and the form that makes the first source and feed. */
import { Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { useRead, useWrite } from "../../kit/api.ts";
import { curlOf } from "../../kit/copy-as.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorNote } from "../../kit/error-note.tsx";
import { useKept } from "../../kit/kept.ts";
import { feedsTexts as texts } from "../../text/feeds.ts";

export function FirstFeed({ onMade }: { readonly onMade: (source: string) => void }) {
  const [typed, keep, forget] = useKept("first-feed", { source: "", feed: "" });
  const types = useRead("GET /v1/data/sourcetypes").data?.data ?? {};
  // a type whose feeds have a label is pushed to by its user
  const sourcetype = Object.keys(types).find((name) => types[name]?.feed_config["label"]) ?? "";
  const createSource = useWrite("PUT /v1/data/sources", []);
  const createFeed = useWrite("PUT /v1/data/feeds/{sourceid}", ["GET /v1/data/"]);
  const name = typed.feed.trim() || "server-1";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const { data } = await createSource.mutateAsync({ body: { name: typed.source, sourcetype } });
      const body = { name: typed.feed, config: { label: typed.feed } };
      await createFeed.mutateAsync({ path: { sourceid: data.id }, body });
      forget();
      onMade(data.id);
    } catch {
      // the mutations show it
    }
  };
  return (
    <Empty title={texts.emptyTitle} text={texts.emptyText.map((line) => <p key={line}>{line}</p>)}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Group align="flex-end" grow>
            <TextInput
              label={texts.sourceName}
              description={texts.sourceHint}
              required
              maxLength={255}
              value={typed.source}
              onChange={(event) => keep({ ...typed, source: event.currentTarget.value })}
            />
            <TextInput
              label={texts.feedName}
              description={texts.feedHint}
              required
              maxLength={255}
              value={typed.feed}
              onChange={(event) => keep({ ...typed, feed: event.currentTarget.value })}
            />
          </Group>
          <ErrorNote error={createSource.error ?? createFeed.error} />
          <Button type="submit" loading={createSource.isPending || createFeed.isPending} w="fit-content">
            {texts.createBoth}
          </Button>
        </Stack>
      </form>
      <Text size="sm">{texts.emptyPush}</Text>
      <Code block w="100%">
        {curlOf("POST", "/v1/feed/SOURCE", { [name]: { up: true, loadavg: 0.4 } })}
      </Code>
    </Empty>
  );
}
