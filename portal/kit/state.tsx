/** A state: one word, one colour and one sign, the same everywhere. */
import { Badge } from "@mantine/core";
import { kitTexts } from "../text/kit.ts";

const looks = {
  up: ["teal", "▲"],
  ok: ["teal", "✓"],
  down: ["red", "▼"],
  refused: ["red", "✕"],
  unknown: ["gray", "?"],
  off: ["gray", "–"],
  stale: ["yellow", "◷"],
  held: ["blue", "❙❙"],
  behind: ["yellow", "…"],
  waiting: ["blue", "…"],
} as const;

export type StateName = keyof typeof looks;

export function State({ is, text }: { readonly is: StateName; readonly text?: string }) {
  const [color, sign] = looks[is];
  return (
    <Badge
      variant="light"
      color={color}
      tt="none"
      radius="sm"
      leftSection={<span aria-hidden>{sign}</span>}
      autoContrast
      miw="max-content"
      style={{ flexShrink: 0 }}
    >
      {text ?? kitTexts.states[is]}
    </Badge>
  );
}
