/** Saves a record: at once and undone by one click, into the draft, or over what somebody else saved meanwhile. */
import { useState } from "react";
import { type ApiError, call } from "../../api/client.ts";
import { useAddress } from "../../kit/address.ts";
import { useRead, useWrite } from "../../kit/api.ts";
import { useDraft } from "../../kit/draft.ts";
import type { Edit } from "../../kit/draft-edits.ts";
import { noteSaved } from "../../kit/note-saved.tsx";
import { recordTexts as texts } from "../../text/record.ts";
import type { RecordPath, Stored } from "./editor.tsx";
import { bodyOf, type Edited, editedOf } from "./model.ts";

interface Options {
  readonly path: RecordPath;
  readonly stored: Stored | undefined;
  readonly edited: Edited;
  /** The edit of the draft for this record. */
  readonly drafted: Edit | undefined;
  readonly onSaved: () => void;
}

const one = "/v1/zones/{zone}/{domain}/{type}";
const outdates = ["GET /v1/zones", "GET /v1/search", "GET /v1/changes", "GET /v1/account/activity", "simulation"];

export function useSave({ path, stored, edited, drafted, onSaved }: Options) {
  const draft = useDraft();
  const [, setWanted] = useAddress("new");
  const [conflict, setConflict] = useState<Stored>();
  const update = useWrite(`POST ${one}`, outdates);
  const create = useWrite(`PUT ${one}`, outdates);
  const { refetch } = useRead(`GET ${one}`, { path, enabled: false });

  const failed = async (error: ApiError) => {
    if (error.status !== 412) return;
    const { data, etag } = await call(`GET ${one}`, { path });
    setConflict({ record: editedOf(data), etag });
  };
  const done = (reply: { readonly change: string | undefined }) => {
    setConflict(undefined);
    onSaved();
    // what is saved waits no longer
    if (drafted) draft.drop([drafted]);
    setWanted("");
    noteSaved({ text: texts.saved, change: reply.change, canUndo: stored !== undefined });
  };
  const write = (ifMatch: string | undefined) => {
    const body = bodyOf(edited);
    if (stored) update.mutate({ path, body, ifMatch }, { onSuccess: done, onError: failed });
    else
      create.mutate(
        { path, body: { ...body, zone: path.zone, domain: path.domain, type: path.type } as never },
        { onSuccess: done },
      );
  };
  return {
    save: () => write(stored?.etag),
    overwrite: () => write(conflict?.etag),
    async takeTheirs() {
      setConflict(undefined);
      update.reset();
      onSaved();
      await refetch();
    },
    toDraft() {
      // a record is changed, not replaced: it may have fields that this page does not show
      draft.add([{ ...bodyOf(edited), action: stored ? "update" : "create", ...path }], onSaved);
    },
    isPending: update.isPending || create.isPending,
    isAdding: draft.isPending,
    error: update.error ?? create.error ?? draft.error,
    conflict,
  };
}
