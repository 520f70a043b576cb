/** The draft in the bar: it follows through all pages. */
import { Button } from "@mantine/core";
import { useDraft } from "../kit/draft.ts";
import { shellTexts as texts } from "../text/shell.ts";
import { useOpen } from "./link.tsx";

export function DraftButton() {
  const { edits } = useDraft();
  const open = useOpen();
  if (edits.length === 0) return null;
  return (
    <Button variant="light" size="compact-sm" style={{ flexShrink: 0 }} onClick={() => open({ to: "changes" })}>
      {texts.edits(edits.length)}
    </Button>
  );
}
