/** Saves edits of records at once, as one change, and offers to take it back. */
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWrite } from "../../../kit/api.ts";
import { type Edit, useDraft } from "../../../kit/draft.ts";
import { noteSaved } from "../../../kit/note-saved.tsx";
import { undoChange } from "../../../kit/undo-change.ts";
import { kitTexts } from "../../../text/kit.ts";
import { recordsTexts as texts } from "../../../text/records.ts";

interface Sent {
  readonly edits: readonly Edit[];
  readonly done: () => void;
}

export function useSave() {
  const write = useWrite("PUT /v1/changesets", ["GET /v1/zones"]);
  const draft = useDraft();
  const note = useNote();
  const [last, setLast] = useState<Sent>();

  const send = (sent: Sent, isConfirmed: boolean) => {
    setLast(sent);
    const records = [...sent.edits];
    const query = isConfirmed ? { confirm_deletions: true } : {};
    const onSuccess = ({ change }: { readonly change: string | undefined }) => {
      draft.drop(...records);
      note(records.length, change);
      sent.done();
    };
    write.mutate({ body: { records }, query }, { onSuccess });
  };
  return {
    save: (edits: readonly Edit[], done: () => void = () => {}) => send({ edits, done }, false),
    confirm: () => last && send(last, true),
    isPending: write.isPending,
    error: write.error,
    reset: write.reset,
  };
}

/** A notice that records were saved, with the way back. It may be used when the component is gone. */
export function useNote() {
  const client = useQueryClient();
  const undo = async (change: string) => {
    try {
      await undoChange(change);
      notifications.show({ message: kitTexts.undone, autoClose: 4000 });
    } catch (error) {
      notifications.show({ message: error instanceof Error ? error.message : String(error), color: "red" });
    }
    await client.invalidateQueries({ predicate: ({ queryKey: [known] }) => String(known).startsWith("GET /v1/zones") });
  };
  return (count: number, change: string | undefined) =>
    noteSaved({ text: texts.saved(count), change, undo: change === undefined ? undefined : () => undo(change) });
}
