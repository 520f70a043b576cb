/** The note after a write: how many edges answer with it, and a button that takes it back. */
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { kitTexts } from "../text/kit.ts";
import { useRead } from "./api.ts";

interface Saved {
  readonly text: string;
  /** The id of the change. */
  readonly change: string | undefined;
  readonly undo: (() => Promise<void>) | undefined;
}

/** Milliseconds for which the note stays. */
const shownFor = 12_000;

export function noteSaved(saved: Saved): void {
  const id = crypto.randomUUID();
  notifications.show({
    id,
    message: <Note {...saved} onDone={() => notifications.hide(id)} />,
    autoClose: shownFor,
  });
}

function Note({ text, change, undo, onDone }: Saved & { readonly onDone: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await undo?.().finally(() => setBusy(false));
    onDone();
  };
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">
        {text}
        {change !== undefined && <Reached change={change} />}
      </Text>
      {undo && (
        <Button
          size="compact-sm"
          variant="default"
          style={{ flexShrink: 0 }}
          loading={isBusy}
          onClick={() => void run()}
        >
          {kitTexts.undo}
        </Button>
      )}
    </Group>
  );
}

/** The edges that have applied a change, asked until all have. */
function Reached({ change }: { readonly change: string }) {
  const { data } = useRead("GET /v1/changesets/{id}", { path: { id: change }, refetchInterval: 500 });
  const edges = (data?.data.edges ?? []).filter(({ away }) => !away);
  if (edges.length === 0) return null;
  return <>, {kitTexts.answeredBy(edges.filter(({ applied }) => applied).length, edges.length)}</>;
}
