/** Notices about the service, each said once: it cannot be reached, it asks to wait, a newer build is there. */
import { Alert, Button, Group } from "@mantine/core";
import { useEffect, useState } from "react";
import { onRefusal } from "../api/client.ts";
import { shellTexts as texts } from "../text/shell.ts";

/** Milliseconds for which a notice about a refused call stays. */
const shownFor = 10_000;

export function Notices() {
  const [text, setText] = useState<string>();
  const [isOld, setOld] = useState(false);

  useEffect(() => {
    let end: ReturnType<typeof setTimeout> | undefined;
    const stop = onRefusal(({ status, retryAfter }) => {
      const said =
        status === 0 || status >= 502 ? texts.offline : status === 429 ? texts.limited(retryAfter ?? 1) : undefined;
      if (said === undefined) return;
      setText(said);
      clearTimeout(end);
      end = setTimeout(() => setText(undefined), shownFor);
    });
    // a file of this build is gone: another build is served now
    const onOld = (event: Event) => {
      event.preventDefault();
      setOld(true);
    };
    addEventListener("vite:preloadError", onOld);
    return () => {
      stop();
      clearTimeout(end);
      removeEventListener("vite:preloadError", onOld);
    };
  }, []);

  return (
    <>
      {text !== undefined && (
        <Alert color="yellow" radius={0} role="status">
          {text}
        </Alert>
      )}
      {isOld && (
        <Alert radius={0} role="status">
          <Group>
            {texts.newBuild}
            <Button size="compact-sm" onClick={() => location.reload()}>
              {texts.reload}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}
