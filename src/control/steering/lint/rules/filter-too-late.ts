/** A filter after another that leaves it nothing to choose from. */
import { type Finding, filterField, type LintedLink, mostLeft, rule } from "./rule.ts";

export const filterTooLate = rule({
  code: "filter_too_late",
  check({ links }) {
    const findings: Finding[] = [];
    let cut: LintedLink | undefined;
    for (const link of links) {
      if (cut && isIdle(link, mostLeft(cut))) findings.push(findingOf(link, cut));
      if (link.filter.kind === "modifies") cut = undefined;
      else if (mostLeft(link) < (cut ? mostLeft(cut) : Number.POSITIVE_INFINITY)) cut = link;
    }
    return findings;
  },
});

function isIdle(link: LintedLink, left: number): boolean {
  if (link.filter.kind === "modifies") return false;
  return left <= 1 || (mostLeft(link) >= left && Number.isFinite(mostLeft(link)));
}

function findingOf(link: LintedLink, cut: LintedLink): Finding {
  const left = mostLeft(cut) === 1 ? "one answer" : `${mostLeft(cut)} answers`;
  return {
    field: filterField(link),
    message: `${link.filter.id} comes after ${cut.filter.id}, which leaves ${left}, so it has nothing to choose from`,
  };
}
