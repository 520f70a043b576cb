/** A record without answers, whose clients get an empty reply. */
import { rule } from "./rule.ts";

export const recordWithoutAnswers = rule({
  code: "record_without_answers",
  check: ({ record: { answers, link } }) =>
    answers.length > 0 || link !== null
      ? []
      : [{ field: "answers", message: "the record has no answers, so clients get an empty reply" }],
});
