/** A record's steering as clients write it: the filter chain and the policy `all_down`. Pure. */
import type { Filter } from "../../../../answer/filters/contract/filter.ts";
import { filtersById } from "../../../../answer/filters/index.ts";
import type { RecordType } from "../../../../dns/rdata/record-type.ts";
import { assertConfig } from "../../../../lib/fields.ts";
import { invalid, invalidField } from "../../../../lib/problem.ts";
import { isNo, isYes } from "../../../../lib/values.ts";
import type { StoredAllDown, StoredFilter } from "../../../../storage/tables/records.ts";
import type { Edition } from "../../../access/rights.ts";
import { limits } from "../../../kit/limits.ts";

/** Returns the filters as sent, with the order of keys kept: clients compare them with what they sent. */
export function readFilters(
  type: RecordType,
  filters: readonly StoredFilter[],
  edition: Edition,
): readonly StoredFilter[] {
  if (filters.length > limits.filters) {
    throw invalidField("filters", `at most ${limits.filters} filters per record`, { limit: limits.filters });
  }
  for (const [i, filter] of filters.entries()) assertFilter(type, filter, edition, `filters[${i}]`);
  return filters;
}

/** Whether an edition has a filter. */
export const isListed = (filter: Filter, edition: Edition) =>
  filter.edition === undefined || filter.edition === edition;

/** The highest tier of the chain, disabled filters included: clients read a chain only from records above tier 1. */
export const tierOf = (filters: readonly unknown[]): number =>
  Math.max(1, ...filters.map((filter) => filtersById.get(String(Object(filter).filter))?.tier ?? 1));

/** Throws unless the policy `group` comes with the name of an existing region, and other policies with none. */
export function assertAllDown(all_down: StoredAllDown | null, regions: Readonly<Record<string, unknown>>): void {
  if (all_down === null) return;
  const { policy, group } = all_down;
  const field = "all_down.group";
  if (policy !== "group") {
    if (group !== undefined) throw invalid(`${field} requires the policy "group"`, { field });
  } else if (group === undefined) {
    throw invalid(`${field} is required`, { field });
  } else if (!Object.hasOwn(regions, group)) {
    throw invalidField(field, `"${group}" is not in regions`);
  }
}

function assertFilter(
  type: RecordType,
  { filter: id, config, disabled }: StoredFilter,
  edition: Edition,
  at: string,
): void {
  const filter = filtersById.get(id);
  const field = `${at}.filter`;
  if (!filter || !isListed(filter, edition)) throw invalidField(field, `filter "${id}" is not known`);
  if (filter.rectypes && !filter.rectypes.includes(type.name)) {
    const types = filter.rectypes.join(", ");
    throw invalidField(field, `"${id}" is for records of type ${types}, not ${type.name}`);
  }
  assertConfig(filter.config, config ?? {}, `${at}.config`);
  if (disabled !== undefined && disabled !== null && !isYes(disabled) && !isNo(disabled)) {
    throw invalid(`${at}.disabled must be true or false`, { field: `${at}.disabled` });
  }
}
