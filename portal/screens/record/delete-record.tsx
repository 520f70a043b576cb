/** Deletes a record, after a question; one click brings it back. */
import { useState } from "react";
import { useOpen } from "../../app/link.tsx";
import { useWrite } from "../../kit/api.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { DangerButton } from "../../kit/danger-button.tsx";
import { noteSaved } from "../../kit/note-saved.tsx";
import { recordTexts as texts } from "../../text/record.ts";
import type { RecordPath, Stored } from "./editor.tsx";

const one = "/v1/zones/{zone}/{domain}/{type}";

export function DeleteRecord({ path, stored }: { readonly path: RecordPath; readonly stored: Stored }) {
  const [isAsked, setAsked] = useState(false);
  const remove = useWrite(`DELETE ${one}`, ["GET /v1/zones", "GET /v1/search"]);
  const open = useOpen();
  const confirm = () =>
    remove.mutate(
      { path, ifMatch: stored.etag },
      {
        onSuccess({ change }) {
          noteSaved({ text: texts.removed, change, canUndo: true });
          open({ to: "zone", params: { zone: path.zone } });
        },
      },
    );
  return (
    <>
      <DangerButton onClick={() => setAsked(true)}>{texts.remove}</DangerButton>
      {isAsked && (
        <Confirm
          title={texts.remove}
          text={texts.removeText(path.domain, path.type)}
          act={texts.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={confirm}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
