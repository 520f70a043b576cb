/** The edits of this zone that wait in the draft: review them, save them, or discard them. */
import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { PageLink } from "../../../app/link.tsx";
import { useDraft } from "../../../kit/draft.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Guarded, isGuarded } from "../../../kit/guarded.tsx";
import { recordsTexts as texts } from "../../../text/records.ts";
import { useSave } from "./use-save.ts";

export function DraftBar({ zone }: { readonly zone: string }) {
  const draft = useDraft();
  const { save, confirm, isPending, error, reset } = useSave();
  const own = draft.edits.filter((edit) => edit.zone === zone);
  if (own.length === 0) return null;
  return (
    <Paper withBorder p="xs" role="region" aria-label={texts.draftHas(own.length)}>
      <Stack gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {texts.draftHas(own.length)}
          </Text>
          <PageLink to="changes" fz="sm">
            {texts.review}
          </PageLink>
          <Button size="compact-sm" variant="default" loading={isPending} onClick={() => save(own)}>
            {texts.saveDraft(own.length)}
          </Button>
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => draft.drop(...own)}>
            {texts.discard(own.length)}
          </Button>
        </Group>
        {!isGuarded(error) && <ErrorNote error={error} />}
        <Guarded error={error} isPending={isPending} act={texts.guardedAct} onConfirm={confirm} onClose={reset} />
      </Stack>
    </Paper>
  );
}
