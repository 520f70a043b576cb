/** Which edges answer the last change that was made in this browser. */
import { Group, Stack, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { keptChange, onChange, readChange } from "../../api/last-change.ts";
import type { ChangeSetProgress } from "../../api/types.ts";
import { ErrorNote } from "../../kit/error-note.tsx";
import { useProgress } from "../../kit/progress.ts";
import { State } from "../../kit/state.tsx";
import { Time } from "../../kit/time.tsx";
import { dashboardTexts as texts } from "../../text/dashboard.ts";
import { Part } from "./part.tsx";

export function LastChange() {
  const change = readChange(useSyncExternalStore(onChange, keptChange));
  const { data, error, refetch } = useProgress(change?.id);
  // changes are forgotten after a day, and those of another account are not shown
  const isGone = change === undefined || error?.status === 404;
  const progress = data?.data.id === change?.id ? data?.data : undefined;
  return (
    <Part title={texts.lastChange}>
      {isGone ? (
        <Text size="sm" c="dimmed">
          {texts.noChange}
        </Text>
      ) : (
        <>
          <ErrorNote error={error} onRetry={() => void refetch()} />
          {progress && <Progress progress={progress} at={change.at} />}
        </>
      )}
    </Part>
  );
}

function Progress({ progress: { edges, live }, at }: { readonly progress: ChangeSetProgress; readonly at: number }) {
  const [away, here] = [edges.filter((edge) => edge.away), edges.filter((edge) => !edge.away)];
  const behind = here.filter(({ applied }) => !applied);
  const namesOf = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id).join(", ");
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <State is={live ? "ok" : "behind"} />
        {/* the edges are listed for the account of the operator only */}
        {here.length > 0
          ? texts.answeredBy(here.length - behind.length, here.length)
          : live
            ? texts.answeredByAll
            : texts.answeredByFew}
      </Group>
      {behind.length > 0 && <Text size="sm">{texts.behind(namesOf(behind))}</Text>}
      {away.length > 0 && <Text size="sm">{texts.away(namesOf(away))}</Text>}
      <Text size="sm" c="dimmed">
        {texts.made} <Time at={at} />
      </Text>
    </Stack>
  );
}
