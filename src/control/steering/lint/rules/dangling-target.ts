/** An answer that leads to a name that does not exist, or a link to a record that does not exist. */

import type { RecordRow } from "../../../../storage/tables/records.ts";
import { recordKey } from "../../../../sync/net-difference.ts";
import { targetOf } from "./parts/targets.ts";
import { type Finding, rule } from "./rule.ts";

export const danglingTarget = rule({
  code: "dangling_target",
  check: ({ record, missing }) => [...linkOf(record, missing), ...answersOf(record, missing)],
});

function linkOf({ link, type }: RecordRow, missing: ReadonlySet<string>): Finding[] {
  if (link === null || !missing.has(recordKey({ domain: link, type }))) return [];
  return [
    {
      field: "link",
      message: `the link target ${link} ${type} does not exist or is a link itself; the record has no answers`,
    },
  ];
}

const answersOf = (record: RecordRow, missing: ReadonlySet<string>): Finding[] =>
  record.answers.flatMap(({ answer }, i) => {
    const target = targetOf(record.type, answer);
    if (target === undefined || !missing.has(target)) return [];
    return [{ field: `answers[${i}]`, message: `${target} does not exist in your zones` }];
  });
