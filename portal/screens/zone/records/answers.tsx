/** The answers of a row in words, with those struck out that an edit removes, and the record's comment. */
import { Text } from "@mantine/core";
import { Lines } from "../../../kit/lines.tsx";
import { shownOf } from "../../../kit/plain.ts";
import type { Row } from "./row.ts";

interface Props {
  readonly row: Row;
  readonly isGone: boolean;
}

export function Answers({ row: { answers, before = [], note }, isGone }: Props) {
  const gone = before.filter((text) => !answers.includes(text));
  const rest = [...gone];
  // an answer that goes stands above the one that takes its place
  const texts = answers.flatMap((text) => (before.includes(text) ? [text] : [...rest.splice(0, 1), text]));
  return (
    <>
      <Lines texts={[...texts, ...rest]} struck={isGone ? answers : gone} most={gone.length === 0 ? 4 : 8} />
      {note !== "" && (
        <Text size="xs" c="dimmed" component="bdi" display="block">
          {shownOf(note)}
        </Text>
      )}
    </>
  );
}
