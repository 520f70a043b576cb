/** Notices about the service, each said once: it does not answer, it asks to wait, a part of the portal is gone. */
import { Alert, Button, Group } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { ApiError } from "../api/client.ts";
import { onOutage, outageNow } from "../api/outage.ts";
import { shellTexts as texts } from "../text/shell.ts";

/** Milliseconds after which everything in view is read again while the service does not answer. */
const again = 10_000;

export function Notices() {
  const outage = useSyncExternalStore(onOutage, outageNow);
  const isOld = useOldBuild();
  const client = useQueryClient();

  useEffect(() => {
    if (!outage) {
      // what failed meanwhile may be read now
      void client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
      return;
    }
    const pause = Math.max(again, (outage.retryAfter ?? 0) * 1000);
    const timer = setInterval(() => void client.invalidateQueries(), pause);
    return () => clearInterval(timer);
  }, [outage, client]);

  return (
    <>
      {outage && (
        <Notice color="yellow" text={textOf(outage)} act={texts.retry} onAct={() => void client.invalidateQueries()} />
      )}
      {isOld && <Notice text={texts.newBuild} act={texts.reload} onAct={() => location.reload()} />}
    </>
  );
}

function textOf({ status, retryAfter }: ApiError): string {
  if (status === 429) return texts.limited(retryAfter ?? 1);
  return status === 0 ? texts.offline : texts.unable(status);
}

interface NoticeProps {
  readonly color?: string;
  readonly text: string;
  readonly act: string;
  readonly onAct: () => void;
}

const Notice = ({ color, text, act, onAct }: NoticeProps) => (
  <Alert {...(color !== undefined && { color })} radius={0} py={6} role="status">
    <Group gap="sm">
      {text}
      <Button size="compact-sm" variant="default" onClick={onAct}>
        {act}
      </Button>
    </Group>
  </Alert>
);

/** Whether a file of this build could not be loaded: another build may be served now. */
function useOldBuild(): boolean {
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    const onError = (event: Event) => {
      event.preventDefault();
      setOld(true);
    };
    addEventListener("vite:preloadError", onError);
    return () => removeEventListener("vite:preloadError", onError);
  }, []);
  return isOld;
}
