/** The input of a row, as an edit of its record. */
import { printAnswer, scanAnswer } from "../../../kit/answer-text.ts";
import type { Edit } from "../../../kit/draft-edits.ts";

type Answers = NonNullable<Edit["answers"]>;

/**
 * The answers for lines of text. A line that was there keeps its answer with all settings; a line that was changed in
 * its place keeps them too.
 */
export function answersOf(text: string, before: Answers, isText: boolean): Answers {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const left = [...before];
  const kept = lines.map((line) => {
    const at = left.findIndex(({ answer }) => printAnswer(answer, isText) === line.trim());
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  return lines.map((line, at) => {
    const known = kept[at];
    if (known) return known;
    const answer = scanAnswer(line, isText);
    const former = lines.length === before.length ? before[at] : undefined;
    return former && left.includes(former) ? { ...former, answer } : { answer };
  });
}
