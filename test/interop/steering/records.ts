/** Generated records: every filter in chains of one to five, over metadata of answers, regions, records and feeds. */
import type { Draw } from "../differential/draw.ts";
import { inputs, type MetaName, makes, type Sources, smallPrefixes } from "./metadata.ts";
import { filters, permuting } from "./model/filters.ts";
import { isYes, type ModelAnswer, type ModelFilter, type ModelRecord, type Table } from "./model/meta.ts";

export const zone = "steering.example";

const mostNamed = 9;
/** With more answers, the set of all orders would be too large. */
const mostPermuted = 4;
const regionNames = ["eu", "us", "rest"];
const names = Object.keys(filters);

/** Filters that have an effect only after other filters; these are drawn more often. */
const closing = ["select_first_n", "select_first_n", "select_first_region", "priority", "geofence_country"];

export function generateRecords(draw: Draw, sources: Sources, count: number): ModelRecord[] {
  const records = Array.from({ length: count }, (_, i) => generateRecord(draw, sources, i));
  const targets = records.filter(({ type, domain }) => type !== "CNAME" && !domain.startsWith("*"));
  return records.map((record) => (record.type === "CNAME" ? leading(draw, record, targets) : record));
}

function generateRecord(draw: Draw, sources: Sources, number: number): ModelRecord {
  const first = names[number % names.length]!;
  const type = typeFor(draw, first);
  const chain = [first, ...Array.from({ length: draw.number(0, 3) }, () => draw.pick([...names, ...closing]))];
  if (draw.chance(0.3)) chain.reverse();
  const used = chain.filter(
    (name, i) => (type === "A" || !onlyA.includes(name)) && (!onlyA.includes(name) || chain.indexOf(name) === i),
  );
  const permutes = used.filter((name) => permuting.has(name)).length;
  const most = permutes === 0 ? mostNamed : used.includes("ipv4_prefix_shuffle") && permutes > 1 ? 2 : mostPermuted;
  const count = draw.chance(0.03) ? 0 : draw.number(draw.chance(0.9) ? 2 : 1, most);
  const keys = [...new Set(used.flatMap((name) => keysOf(draw, name)))];
  const meta = metaOf(draw, sources, used, keys);
  const isGrouped = draw.chance(0.5) || used.some((name) => name.endsWith("_region"));
  const regions = Object.fromEntries(
    isGrouped ? regionNames.map((name) => [name, draw.chance(0.8) ? { meta: meta(0.35) } : {}]) : [],
  );
  const answers = Array.from(
    { length: count },
    (_, i): ModelAnswer => ({
      answer: [rdata(draw, type, i)],
      ...(draw.chance(0.9) ? { meta: meta(0.6) } : {}),
      ...(isGrouped && draw.chance(0.8) ? { region: draw.pick(regionNames) } : {}),
    }),
  );
  const allDown = draw.chance(0.2) ? draw.pick(["serve_all", "nothing", ...(isGrouped ? ["group"] : [])]) : undefined;
  return {
    domain: `${used.includes("parse_ipv4") && draw.chance(0.85) ? "*." : ""}r${number}.${zone}`,
    ...{ type, answers, regions },
    meta: meta(0.15),
    filters: used.map((name) => filterOf(draw, name)),
    use_client_subnet: draw.chance(0.93),
    ...(allDown === undefined
      ? {}
      : { all_down: { policy: allDown, ...(allDown === "group" ? { group: draw.pick(regionNames) } : {}) } }),
  };
}

const onlyA = ["parse_ipv4", "ipv4_prefix_shuffle"];

const typeFor = (draw: Draw, first: string): ModelRecord["type"] =>
  onlyA.includes(first) ? "A" : draw.pick(["A", "A", "A", "AAAA", "TXT", "CNAME"]);

/** A filter by location reads several keys; some of them are drawn. */
const keysOf = (draw: Draw, name: string): readonly MetaName[] => {
  const all = inputs[name] ?? [];
  return all.includes("country") ? draw.some(all) : all;
};

/** Draws tables that contain each key with some probability. */
function metaOf(draw: Draw, sources: Sources, used: readonly string[], keys: readonly MetaName[]) {
  const isMade = used.includes("ipv4_prefix_shuffle");
  const value = (key: MetaName) => (key === "ip_prefixes" && isMade ? smallPrefixes(draw) : makes[key](draw, sources));
  return (probability: number): Table => {
    const wanted = keys.filter(() => draw.chance(probability));
    const entries = wanted.map((key): [string, unknown] => {
      const spelling = key === "loadavg" && draw.chance(0.3) ? "loadAvg" : key;
      return [spelling, draw.chance(0.12) ? { feed: draw.pick(sources.feeds) } : value(key)];
    });
    return Object.fromEntries([...entries, ...(draw.chance(0.1) ? [["note", makes.note(draw)]] : [])]);
  };
}

function rdata(draw: Draw, type: ModelRecord["type"], number: number): string {
  // sometimes a duplicate, which DNS sends once
  const host = draw.chance(0.1) ? 1 : number + 1;
  if (type === "A") return `203.0.113.${host}`;
  if (type === "AAAA") return `2001:db8:ffff::${host.toString(16)}`;
  return type === "TXT" ? `text ${host}` : `host${host}.example.net`;
}

/** Makes some answers point to records of the zone. */
function leading(draw: Draw, record: ModelRecord, targets: readonly ModelRecord[]): ModelRecord {
  const isSteered = record.filters.some(({ disabled }) => !isYes(disabled));
  const answers = record.answers
    .slice(0, isSteered ? record.answers.length : 1)
    .map((answer) => (draw.chance(0.5) ? { ...answer, answer: [draw.pick(targets).domain] } : answer));
  return { ...record, answers };
}

const yes = [true, 1, "1", "true"];
const no = [false, 0, "0", "false"];

/** On, off or absent. */
const flag = (draw: Draw, name: string): Table => (draw.chance(0.25) ? {} : { [name]: draw.pick([...yes, ...no]) });

const configs: Readonly<Record<string, (draw: Draw) => Table>> = {
  select_first_n: (draw) => (draw.chance(0.2) ? {} : { N: draw.pick([1, "1", 2, "2", 3, 9]) }),
  ipv4_prefix_shuffle: (draw) => (draw.chance(0.2) ? {} : { N: draw.pick([1, "2", 3]) }),
  parse_ipv4: (draw) => (draw.chance(0.3) ? {} : { separator: draw.pick(["-", ".", "_"]) }),
  shed_load: (draw) => ({ metric: draw.pick(["loadavg", "loadAvg", "connections", "requests"]) }),
  sticky: (draw) => flag(draw, "sticky_by_network"),
  sticky_region: (draw) => flag(draw, "sticky_by_network"),
  weighted_sticky: (draw) => flag(draw, "sticky_by_network"),
  priority: (draw) => flag(draw, "eliminate"),
  cost: (draw) => flag(draw, "eliminate"),
  geofence_country: (draw) => flag(draw, "remove_no_location"),
  geofence_regional: (draw) => flag(draw, "remove_no_georegion"),
  netfence_asn: (draw) => flag(draw, "remove_no_asn"),
  netfence_prefix: (draw) => flag(draw, "remove_no_ip_prefixes"),
};

function filterOf(draw: Draw, name: string): ModelFilter {
  const config = configs[name]?.(draw);
  return {
    filter: name,
    ...(config ? { config } : draw.chance(0.3) ? {} : { config: draw.pick([{}, null]) }),
    ...(draw.chance(0.1) ? { disabled: draw.pick([...yes, ...no]) } : {}),
  };
}
