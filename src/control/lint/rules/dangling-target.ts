/** An answer that leads to a name which does not exist. */
import { rule } from "../rule.ts";
import { targetOf } from "../targets.ts";

export const danglingTarget = rule({
  code: "dangling_target",
  check: ({ record, missing }) =>
    record.answers.flatMap(({ answer }, i) => {
      const target = targetOf(record.type, answer);
      if (target === undefined || !missing.has(target)) return [];
      return [{ field: `answers[${i}]`, message: `${target} does not exist, and its zone is one of yours` }];
    }),
});
