/** A form that pushes values to a feed at once, and the same push for a shell. */
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { FormEvent } from "react";
import type { Feed } from "../../api/types.ts";
import { useWrite } from "../../kit/api.ts";
import { CopyAs, curlOf } from "../../kit/copy-as.tsx";
import { ErrorNote, messageFor } from "../../kit/error-note.tsx";
import { useKept } from "../../kit/kept.ts";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { type Table, ValuesForm } from "./values-form.tsx";

interface Props {
  readonly feed: Feed;
  /** The keys that the feed may have. */
  readonly keys: readonly string[];
}

/** The values that are about to be pushed to a feed; null before they were changed. */
export const usePushed = (feed: string) => useKept<Table | null>(`push:${feed}`, null);

export function PushForm({ feed, keys }: Props) {
  const { id, data, config } = feed;
  const [typed, keep, forget] = usePushed(id);
  const values = typed ?? (Object.keys(data).length === 0 ? { up: true } : data);
  const push = useWrite("POST /v1/feed/{id}", ["GET /v1/data/"]);
  const onSuccess = () => {
    forget();
    notifications.show({ message: texts.pushedNow, autoClose: 3000 });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    push.mutate({ path: { id }, body: { ...values } }, { onSuccess });
  };
  const isMerged = ["1", 1, true, "true"].includes(config["merge"] as never);
  const isOfField = Object.keys(values).some((key) => messageFor(push.error, key) !== undefined);
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Title order={3}>{texts.tryPush}</Title>
        <Text size="sm" c="dimmed">
          {isMerged ? texts.tryAboutMerge : texts.tryAbout}
        </Text>
        <ValuesForm values={values} keys={keys} onChange={keep} messageOf={(key) => messageFor(push.error, key)} />
        <ErrorNote error={isOfField ? null : push.error} />
        <Group gap="xs">
          <Button type="submit" variant="light" size="compact-sm" loading={push.isPending}>
            {texts.pushNow}
          </Button>
          <CopyAs forms={[{ name: texts.copyCurl, text: () => curlOf("POST", `/v1/feed/${id}`, values) }]} />
        </Group>
      </Stack>
    </form>
  );
}
