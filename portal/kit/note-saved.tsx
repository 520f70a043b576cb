/** The note after a write: how many edges answer with it, and a button that takes it back. */
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Reply } from "../api/client.ts";
import { kitTexts } from "../text/kit.ts";
import { noteFailure } from "./note-failure.ts";
import { useProgress } from "./progress.ts";
import { undoChange } from "./undo-change.ts";

type Progress = Reply<"GET /v1/changesets/{id}">["data"];

interface Saved {
  readonly text: string;
  /** The id of the change. */
  readonly change: string | undefined;
  /** Whether the note has a button that takes the change back. */
  readonly canUndo: boolean;
}

/** Milliseconds for which the note stays when every edge answers with the change. */
const shownFor = 12_000;

export function noteSaved(saved: Saved): void {
  const id = crypto.randomUUID();
  notifications.show({
    id,
    message: <Note {...saved} onDone={() => notifications.hide(id)} />,
    autoClose: saved.change === undefined ? shownFor : false,
  });
}

function Note({ text, change, canUndo, onDone }: Saved & { readonly onDone: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const client = useQueryClient();
  const { data, error } = useProgress(change);
  const isOver = error !== null || data?.data.live === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each rendering has another function, and the first does
  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(onDone, shownFor);
    return () => clearTimeout(timer);
  }, [isOver]);
  const undo = async (id: string) => {
    setBusy(true);
    try {
      await undoChange(id);
      notifications.show({ message: kitTexts.undone, autoClose: 4000 });
    } catch (error) {
      noteFailure(error);
    }
    await client.invalidateQueries();
    onDone();
  };
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">
        {text}
        {change !== undefined && <Reached progress={data?.data} />}
      </Text>
      {canUndo && change !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          style={{ flexShrink: 0 }}
          loading={isBusy}
          onClick={() => void undo(change)}
        >
          {kitTexts.undo}
        </Button>
      )}
    </Group>
  );
}

/** The number of edges that have applied a change, while the note is shown. */
function Reached({ progress }: { readonly progress: Progress | undefined }) {
  const edges = (progress?.edges ?? []).filter(({ away }) => !away);
  // the edges are listed for the account of the operator only
  if (edges.length === 0) return progress?.live ? <>, {kitTexts.answeredByAll}</> : null;
  return <>, {kitTexts.answeredBy(edges.filter(({ applied }) => applied).length, edges.length)}</>;
}
