/** Saves edits of records at once, as one change, and offers to take it back. */
import { useState } from "react";
import { useWrite } from "../../../kit/api.ts";
import { useDraft } from "../../../kit/draft.ts";
import type { Edit } from "../../../kit/draft-edits.ts";
import { noteSaved } from "../../../kit/note-saved.tsx";
import { recordsTexts as texts } from "../../../text/records.ts";

interface Sent {
  readonly edits: readonly Edit[];
  readonly done: () => void;
}

export function useSave() {
  const write = useWrite("PUT /v1/changesets", ["GET /v1/zones"]);
  const draft = useDraft();
  const [last, setLast] = useState<Sent>();

  const send = (sent: Sent, isConfirmed: boolean) => {
    setLast(sent);
    const records = [...sent.edits];
    const query = isConfirmed ? { confirm_deletions: true } : {};
    const onSuccess = ({ change }: { readonly change: string | undefined }) => {
      draft.drop(records);
      noteRecords(records.length, change);
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

/** The note that records were saved, with the way back. */
export const noteRecords = (count: number, change: string | undefined): void =>
  noteSaved({ text: texts.saved(count), change, canUndo: true });
