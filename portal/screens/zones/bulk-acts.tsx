/** Acts on all selected zones at once, as one change. */
import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useWrite } from "../../kit/api.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { DangerButton } from "../../kit/danger-button.tsx";
import { ErrorNote } from "../../kit/error-note.tsx";
import { noteSaved } from "../../kit/note-saved.tsx";
import { zonesTexts as texts } from "../../text/zones.ts";
import type { ListedZone } from "./columns.tsx";

interface Props {
  readonly zones: readonly ListedZone[];
  readonly onDone: () => void;
}

type ZoneEdit = { readonly action: "update"; readonly disabled: boolean } | { readonly action: "delete" };

export function BulkActs({ zones, onDone }: Props) {
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending, error, reset } = useWrite("PUT /v1/changesets", ["GET /v1/zones", "GET /v1/deletedzones"]);
  if (zones.length === 0) return null;
  const run = (edit: ZoneEdit, text: string) =>
    mutate(
      { query: { confirm_deletions: true }, body: { zones: zones.map(({ zone }) => ({ ...edit, zone })) } },
      {
        onSuccess({ data: { id } }) {
          noteSaved({ text, change: id ?? undefined, canUndo: false });
          setAsked(false);
          onDone();
        },
      },
    );
  const set = (disabled: boolean) => run({ action: "update", disabled }, texts.changed(zones.length));
  return (
    <>
      <Group mb="sm" gap="xs" role="toolbar" aria-label={texts.selected(zones.length)}>
        <Text size="sm">{texts.selected(zones.length)}</Text>
        <Button size="compact-sm" variant="default" loading={isPending} onClick={() => set(true)}>
          {texts.disable}
        </Button>
        <Button size="compact-sm" variant="default" loading={isPending} onClick={() => set(false)}>
          {texts.enable}
        </Button>
        <DangerButton size="compact-sm" onClick={() => setAsked(true)}>
          {texts.remove}
        </DangerButton>
      </Group>
      {!isAsked && <ErrorNote error={error} />}
      {isAsked && (
        <Confirm
          title={texts.remove}
          text={texts.removeText(zones.length)}
          act={texts.remove}
          isPending={isPending}
          error={error}
          onConfirm={() => run({ action: "delete" }, texts.removed(zones.length))}
          onClose={() => {
            setAsked(false);
            reset();
          }}
        />
      )}
    </>
  );
}
