/** Two states side by side in lines: what goes is struck out, what comes is marked. */
import { Box, VisuallyHidden } from "@mantine/core";
import { kitTexts as texts } from "../text/kit.ts";
import { diffLines } from "./line-diff.ts";
import { shownOf } from "./plain.ts";

const looks = {
  same: { sign: " ", word: "", color: "dimmed" },
  gone: { sign: "−", word: texts.gone, color: "var(--mantine-color-red-text)" },
  new: { sign: "+", word: texts.come, color: "var(--mantine-color-teal-text)" },
} as const;

/** Letters of one line in view. */
const longest = 400;

export function Diff({ before, after }: { readonly before: readonly string[]; readonly after: readonly string[] }) {
  return (
    <Box fz="sm">
      {diffLines(before, after).map(({ is, text }, at) => {
        const { sign, word, color } = looks[is];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <Box key={at} c={color} className="name">
            <span aria-hidden>{sign} </span>
            {word !== "" && <VisuallyHidden>{word}: </VisuallyHidden>}
            <span className={is === "gone" ? "struck" : undefined}>{shownOf(text, longest)}</span>
          </Box>
        );
      })}
    </Box>
  );
}
