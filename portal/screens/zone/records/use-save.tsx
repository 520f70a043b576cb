/** Saves edits of records at once, as one change, and offers to bring back what was there before. */
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { ApiError } from "../../../api/client.ts";
import type { Record as DnsRecord } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { type Edit, useDraft } from "../../../kit/draft.ts";
import { reverse } from "../../../kit/record-body.ts";
import { kitTexts } from "../../../text/kit.ts";
import { recordsTexts as texts } from "../../../text/records.ts";

export interface Change {
  readonly edit: Edit;
  /** The record that is stored now; undefined if there is none. */
  readonly before: DnsRecord | undefined;
}

/** Milliseconds for which the way back is offered. */
const offeredFor = 20_000;

export function useSave() {
  const write = useWrite("PUT /v1/changesets", ["GET /v1/zones"]);
  const draft = useDraft();
  const [last, setLast] = useState<{ readonly changes: readonly Change[]; readonly done: () => void }>();

  const send = (changes: readonly Change[], done: () => void, isConfirmed: boolean) => {
    setLast({ changes, done });
    const records = changes.map(({ edit }) => edit);
    const query = isConfirmed ? { confirm_deletions: true } : {};
    write.mutate(
      { body: { records }, query },
      {
        onSuccess: () => {
          draft.drop(...records);
          offerUndo(texts.saved(records.length), () => undo(changes));
          done();
        },
      },
    );
  };
  const undo = (changes: readonly Change[]) => {
    const records = changes.map(({ edit, before }) => reverse(edit, before));
    write.mutate(
      { body: { records }, query: { confirm_deletions: true } },
      {
        onSuccess: () => notifications.show({ message: kitTexts.undone, autoClose: 4000 }),
        onError: ({ message }: ApiError) => notifications.show({ message, color: "red" }),
      },
    );
  };
  return {
    save: (changes: readonly Change[], done: () => void = () => {}) => send(changes, done, false),
    confirm: () => last && send(last.changes, last.done, true),
    offerUndo: (changes: readonly Change[]) => offerUndo(texts.saved(changes.length), () => undo(changes)),
    isPending: write.isPending,
    error: write.error,
    reset: write.reset,
  };
}

/** A notice with the way back. */
function offerUndo(text: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: offeredFor,
    message: (
      <Group justify="space-between">
        <Text size="sm">{text}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {kitTexts.undo}
        </Button>
      </Group>
    ),
  });
}
