/** A filter whose metadata no answer has. */
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
    ? `${filter.id} has no effect with the metadata of these answers`
    : `${filter.id} needs ${[...inputs.keys()].join(", ")}, which no answer has`;
  return [{ field: filterField(link), message }];
}
