/** An answer that leads to a name, or a link to a record, which does not exist. */

import type { RecordRow } from "../../../../storage/tables/records.ts";
import { recordKey } from "../../../../sync/folded.ts";
import { targetOf } from "./parts/targets.ts";
import { type Finding, rule } from "./rule.ts";

export const danglingTarget = rule({
  code: "dangling_target",
  check: ({ record, missing }) => [...linkOf(record, missing), ...answersOf(record, missing)],
});

function linkOf({ link, type }: RecordRow, missing: ReadonlySet<string>): Finding[] {
  if (link === null || !missing.has(recordKey({ domain: link, type }))) return [];
  return [{ field: "link", message: `there is no record ${link} ${type} that could be answered with` }];
}

const answersOf = (record: RecordRow, missing: ReadonlySet<string>): Finding[] =>
  record.answers.flatMap(({ answer }, i) => {
    const target = targetOf(record.type, answer);
    if (target === undefined || !missing.has(target)) return [];
    return [{ field: `answers[${i}]`, message: `${target} does not exist, and its zone is one of yours` }];
  });
