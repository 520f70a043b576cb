/** Saves edits of records at once, as one change, and offers to bring back what was there before. */
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../api/client.ts";
import type { Record as DnsRecord } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { type Edit, useDraft } from "../../../kit/draft.ts";
import { noteSaved } from "../../../kit/note-saved.tsx";
import { reverse } from "../../../kit/record-body.ts";
import { kitTexts } from "../../../text/kit.ts";
import { recordsTexts as texts } from "../../../text/records.ts";

export interface Change {
  readonly edit: Edit;
  /** The record that is stored now; undefined if there is none. */
  readonly before: DnsRecord | undefined;
}

export function useSave() {
  const write = useWrite("PUT /v1/changesets", ["GET /v1/zones"]);
  const draft = useDraft();
  const client = useQueryClient();
  const [last, setLast] = useState<{ readonly changes: readonly Change[]; readonly done: () => void }>();

  const send = (changes: readonly Change[], done: () => void, isConfirmed: boolean) => {
    setLast({ changes, done });
    const records = changes.map(({ edit }) => edit);
    const query = isConfirmed ? { confirm_deletions: true } : {};
    write.mutate(
      { body: { records }, query },
      {
        onSuccess: ({ change }) => {
          draft.drop(...records);
          note(changes, change);
          done();
        },
      },
    );
  };
  // it may be called when the component is gone
  const undo = async (changes: readonly Change[]) => {
    const records = changes.map(({ edit, before }) => reverse(edit, before));
    try {
      await call("PUT /v1/changesets", { body: { records }, query: { confirm_deletions: true } });
      notifications.show({ message: kitTexts.undone, autoClose: 4000 });
    } catch (error) {
      notifications.show({ message: error instanceof Error ? error.message : String(error), color: "red" });
    }
    await client.invalidateQueries({ predicate: ({ queryKey: [known] }) => String(known).startsWith("GET /v1/zones") });
  };
  const note = (changes: readonly Change[], change: string | undefined) =>
    noteSaved({ text: texts.saved(changes.length), change, undo: () => undo(changes) });
  return {
    save: (changes: readonly Change[], done: () => void = () => {}) => send(changes, done, false),
    confirm: () => last && send(last.changes, last.done, true),
    note,
    isPending: write.isPending,
    error: write.error,
    reset: write.reset,
  };
}
