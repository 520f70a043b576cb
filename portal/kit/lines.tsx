/** Texts of others, such as answers, one a line in a face of equal widths; long ones are cut. */
import { Box, Text } from "@mantine/core";
import { kitTexts } from "../text/kit.ts";
import { shownOf } from "./plain.ts";

interface Props {
  readonly texts: readonly string[];
  /** The number of lines in view. */
  readonly most?: number;
  /** The texts that are struck out. */
  readonly struck?: readonly string[];
}

export function Lines({ texts, most = 4, struck = [] }: Props) {
  return (
    <>
      {texts.slice(0, most).map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <Box key={at} className={struck.includes(text) ? "name struck" : "name"}>
          {shownOf(text)}
        </Box>
      ))}
      {texts.length > most && (
        <Text size="xs" c="dimmed">
          {kitTexts.andMore(texts.length - most)}
        </Text>
      )}
    </>
  );
}
