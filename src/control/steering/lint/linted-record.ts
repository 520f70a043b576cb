/** Prepares a record for the rules: compiles its chain, and reads the metadata for its filters. */
import { compileChain } from "../../../answer/chain/chain.ts";
import { noFeeds } from "../../../answer/chain/unknown.ts";
import { Columns } from "../../../answer/filters/contract/columns.ts";
import { filtersById } from "../../../answer/filters/index.ts";
import { Selection } from "../../../answer/model/selection.ts";
import { isDisabled, isSteered } from "../../../answer/model/steering-settings.ts";
import { rdataFromApi } from "../../../dns/rdata/codec.ts";
import { typeNamed } from "../../../dns/type-names.ts";
import { atlas } from "../../../geo/facts/atlas.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { LintedLink, LintedRecord } from "./rules/rule.ts";

export function lintedRecord(
  zone: ZoneRow,
  record: RecordRow,
  { missing, cover }: Pick<LintedRecord, "missing" | "cover">,
): LintedRecord {
  const select = () => {
    const selection = new Selection();
    selection.begin(record.answers.length);
    return selection;
  };
  return { zone, record, links: isSteered(record.filters) ? linksOf(record) : [], missing, cover, select };
}

function linksOf(record: RecordRow): LintedLink[] {
  const type = typeNamed(record.type);
  const rdata = type ? record.answers.map(({ answer }) => rdataFromApi(type, answer)) : [];
  // without the guard, which would put back answers that a filter removes
  const settings = { ...record, live_guard: null };
  const chain = compileChain(settings, rdata, { live: noFeeds, atlas });
  const columns = new Columns(settings, noFeeds);
  const enabled = [...record.filters.entries()].filter(([, filter]) => !isDisabled({ ...filter }));
  return enabled.flatMap(([index, { filter: id, config }], i) => {
    const filter = filtersById.get(id);
    if (!filter) return [];
    const entriesOf = (key: string) => columns.entries(key).slice(0, record.answers.length);
    const inputs = new Map(filter.inputs.map((key) => [key, entriesOf(key)]));
    return { index, filter, config, step: chain.filters[i]?.step, inputs };
  });
}
