/** A record, or the settings of a zone, as lines of text, for comparing two states. */
import type { Record as DnsRecord, ZoneOnly } from "../api/types.ts";
import { printAnswer } from "./answer-text.ts";
import { bodyOf } from "./record-body.ts";

/** The lines of a record: TTL, answers, filters, then what else is set. */
export function recordLines(record: DnsRecord | null, isText = false): string[] {
  if (record === null) return [];
  const { answers = [], ttl, filters, regions, link, ...rest } = bodyOf(record);
  return [
    `TTL ${ttl}`,
    ...(link ? [`link ${link}`] : []),
    ...(answers ?? []).map(({ answer, meta, region }) =>
      [printAnswer(answer, isText), region && `in ${region}`, isSet(meta) && JSON.stringify(meta)]
        .filter(Boolean)
        .join("  "),
    ),
    ...Object.entries(regions ?? {}).map(([name, region]) => `group ${name}  ${JSON.stringify(region)}`),
    ...(filters ?? []).map(({ filter, disabled, config }) =>
      [`filter ${filter}`, disabled === true && "off", isSet(config) && JSON.stringify(config)]
        .filter(Boolean)
        .join("  "),
    ),
    ...Object.entries(rest)
      .filter(([name, value]) => isSet(value) && !(name === "use_client_subnet" && value === true))
      .map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ];
}

/** The settings that differ between two states of a zone, before and after. */
export function settingLines(before: ZoneOnly, after: ZoneOnly): readonly [string[], string[]] {
  const names = Object.keys(after).filter((name) => !own.has(name)) as (keyof ZoneOnly)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const linesOf = (zone: ZoneOnly) => changed.map((name) => `${name} ${JSON.stringify(zone[name])}`);
  return [linesOf(before), linesOf(after)];
}

/** Fields that change with every write. */
const own = new Set(["serial", "updated_at", "created_at", "id"]);

const isSet = (value: unknown) =>
  value !== null &&
  value !== undefined &&
  value !== false &&
  !(typeof value === "object" && Object.keys(value).length === 0);
