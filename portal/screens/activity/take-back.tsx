/** Takes an entry back: a change set as a whole, a record to its state before the entry. */
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type ApiError, call } from "../../api/client.ts";
import { isObject } from "../../api/is-object.ts";
import type { ActivityEntry } from "../../api/types.ts";
import { useRead } from "../../kit/api.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { noteSaved } from "../../kit/note-saved.tsx";
import { visibleOf } from "../../kit/plain.ts";
import { undoChange } from "../../kit/undo-change.ts";
import { activityTexts as texts } from "../../text/activity.ts";
import { kitTexts } from "../../text/kit.ts";

export function TakeBack({ entry }: { readonly entry: ActivityEntry }) {
  const [isAsked, setAsked] = useState(false);
  const client = useQueryClient();
  const way = wayBack(entry);
  const { mutate, isPending, error, reset } = useMutation<void, ApiError, () => Promise<void>>({
    mutationFn: (run) => run(),
    onSuccess: async () => {
      setAsked(false);
      await client.invalidateQueries();
    },
  });
  if (!way) return null;
  const close = () => {
    setAsked(false);
    reset();
  };
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setAsked(true)}>
        {texts.takeBack}
      </Button>
      {isAsked && (
        <Confirm
          title={texts.takeBackTitle}
          text={way.text}
          act={texts.takeBack}
          isRepair
          isPending={isPending}
          error={error}
          onConfirm={() => mutate(way.run)}
          onClose={close}
        />
      )}
    </>
  );
}

interface Way {
  /** Says what will be written. */
  readonly text: ReactNode;
  readonly run: () => Promise<void>;
}

/** The acts on a record before which there was a state to go back to. */
const acts = ["update", "delete", "restore"];

function wayBack({ resource_type, resource_id, action, resource, timestamp }: ActivityEntry): Way | undefined {
  if (resource_type === "changeset") {
    const run = async () => {
      await undoChange(resource_id);
      notifications.show({ message: kitTexts.undone });
    };
    return { text: texts.takeBackAll, run };
  }
  const { zone, domain, type } = isObject(resource) ? resource : {};
  const isRecord = typeof zone === "string" && typeof domain === "string" && typeof type === "string";
  if (resource_type !== "record" || !acts.includes(action) || !isRecord) return undefined;
  const run = async () => {
    const { change } = await call("POST /v1/zones/{zone}/{domain}/{type}/restore", {
      path: { zone, domain, type },
      body: { at: String(timestamp - 1) },
    });
    noteSaved({ text: texts.takenBack(visibleOf(domain), type), change, canUndo: true });
  };
  const text = (
    <>
      {texts.takeBackRecord(visibleOf(domain), type)}{" "}
      {action !== "delete" && <Later path={{ zone, domain, type }} resource={resource} />}
    </>
  );
  return { text, run };
}

interface LaterProps {
  readonly path: { readonly zone: string; readonly domain: string; readonly type: string };
  /** The record as the entry left it. */
  readonly resource: unknown;
}

/** Says that later changes of the record go, too, if there are any. */
function Later({ path, resource }: LaterProps): ReactNode {
  const { data, error } = useRead("GET /v1/zones/{zone}/{domain}/{type}", { path });
  const isChanged = data && isObject(resource) && data.data.updated_at !== resource["updated_at"];
  return isChanged || error?.status === 404 ? texts.takeBackLater : null;
}
