/** The edits of this zone that wait in the draft: review them, or discard them. */
import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useOpen } from "../../../app/link.tsx";
import { DangerButton } from "../../../kit/danger-button.tsx";
import { useDraft } from "../../../kit/draft.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { recordsTexts as texts } from "../../../text/records.ts";

export function DraftBar({ zone }: { readonly zone: string }) {
  const draft = useDraft();
  const open = useOpen();
  const own = draft.edits.filter((edit) => edit.zone === zone);
  if (own.length === 0) return null;
  return (
    <Paper withBorder p="xs" role="region" aria-label={texts.draftHas(own.length)}>
      <Stack gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {texts.draftHas(own.length)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => open({ to: "changes" })}>
            {texts.review}
          </Button>
          <DangerButton size="compact-sm" loading={draft.isPending} onClick={() => draft.drop(own)}>
            {texts.discard(own.length)}
          </DangerButton>
        </Group>
        <ErrorNote error={draft.error} />
      </Stack>
    </Paper>
  );
}
