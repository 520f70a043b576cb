/** Keys that work on every page; `?` shows them. */
import { Kbd, Modal, Table } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { RouteName } from "../routes.ts";
import { shellTexts as texts } from "../text/shell.ts";
import { useOpen } from "./link.tsx";

/** The second key after `g`. */
const places: Readonly<Record<string, RouteName>> = {
  h: "dashboard",
  z: "zones",
  f: "feeds",
  n: "analytics",
  a: "activity",
};
/** Milliseconds between `g` and the second key. */
const longest = 1000;

/** Whether keys are typed into a field. */
export const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function Keys() {
  const open = useOpen();
  const [isShown, setShown] = useState(false);
  const went = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const place = places[event.key];
      if (event.key === "?") setShown(true);
      else if (event.key === "g") went.current = event.timeStamp;
      else if (place && event.timeStamp - went.current < longest) open({ to: place });
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [open]);
  return (
    <Modal opened={isShown} onClose={() => setShown(false)} title={texts.keys}>
      <Table>
        <Table.Tbody>
          {texts.keyTable.map(([key, text]) => (
            <Table.Tr key={key}>
              <Table.Td>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
