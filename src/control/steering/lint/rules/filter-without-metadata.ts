/** A filter that goes by metadata which no answer has. */
import { type Finding, filterField, type LintedLink, rule } from "./rule.ts";

export const filterWithoutMetadata = rule({
  code: "filter_without_metadata",
  check: ({ links, record }) => (record.answers.length === 0 ? [] : links.flatMap(findingOf)),
});

function findingOf(link: LintedLink): readonly Finding[] {
  const { filter, inputs, step } = link;
  if (inputs.size === 0) return [];
  const isSet = [...inputs.values()].some((entries) => entries.some((entry) => entry !== undefined));
  if (isSet && step) return [];
  const message = isSet
    ? `${filter.id} can do nothing with the metadata that the answers have`
    : `${filter.id} goes by ${[...inputs.keys()].join(", ")}, which no answer has`;
  return [{ field: filterField(link), message }];
}
