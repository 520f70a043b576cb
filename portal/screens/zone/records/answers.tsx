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
  const replaced = before.filter((text) => !answers.includes(text));
  return (
    <>
      <Lines texts={replaced} isStruck />
      <Lines texts={answers} isStruck={isGone} />
      {note !== "" && (
        <Text size="xs" c="dimmed" component="bdi" display="block">
          {shownOf(note)}
        </Text>
      )}
    </>
  );
}
