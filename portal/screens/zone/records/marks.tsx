/** The marks of a record: steered, linked, and what the draft does with it. */
import { Badge, Group } from "@mantine/core";
import { recordsTexts as texts } from "../../../text/records.ts";
import type { Row } from "./row.ts";

export function Marks({ row: { isSteered, link, edit, record } }: { readonly row: Row }) {
  if (!isSteered && link === null && edit === undefined) return null;
  const draft = edit?.action === "delete" ? texts.removed : record === undefined ? texts.new : texts.inDraft;
  return (
    <Group gap={4}>
      {isSteered && <Mark color="sea" text={texts.steered} title={texts.steeredHint} />}
      {link !== null && <Mark color="gray" text={texts.linked(link)} />}
      {edit && <Mark color="orange" text={draft} />}
    </Group>
  );
}

const Mark = ({ color, text, title }: { readonly color: string; readonly text: string; readonly title?: string }) => (
  <Badge variant="light" color={color} radius="sm" size="sm" tt="none" autoContrast title={title}>
    {text}
  </Badge>
);
