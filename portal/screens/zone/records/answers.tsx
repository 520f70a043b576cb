/** The answers of a row in words, with those struck out that an edit removes. */
import { Lines } from "../../../kit/lines.tsx";
import type { Row } from "./row.ts";

export function Answers({ row: { answers, before = [] }, isGone }: { readonly row: Row; readonly isGone: boolean }) {
  const replaced = before.filter((text) => !answers.includes(text));
  return (
    <>
      <Lines texts={replaced} isStruck />
      <Lines texts={answers} isStruck={isGone} />
    </>
  );
}
