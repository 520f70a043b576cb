/** A record that answers nobody: whoever asks for it is told that there is nothing. */
import { rule } from "./rule.ts";

export const recordWithoutAnswers = rule({
  code: "record_without_answers",
  check: ({ record: { answers, link } }) =>
    answers.length > 0 || link !== null ? [] : [{ field: "answers", message: "there are none, so nobody gets one" }],
});
