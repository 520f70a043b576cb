/** All filters by name, each as the set of its possible results. */
import { blocksOf, fences } from "./fences.ts";
import type { Apply, Item, Items, Situation } from "./items.ts";
import type { Table } from "./meta.ts";
import { reorderings } from "./orders.ts";

const up: Apply = (items, situation) => {
  const left = items.filter((item) => situation.number(item, "up") === 1);
  return [left.length > 0 || items.length === 0 ? left : allDown(items, situation)];
};

/** The record's policy if no answer is up; without one, the filter is skipped. */
function allDown(items: Items, { record }: Situation): Items {
  const all = record.answers.map((_, answer) => ({ answer }));
  switch (record.all_down?.policy) {
    case "serve_all":
      return all;
    case "nothing":
      return [];
    case "group": {
      const group = all.filter(({ answer }) => record.answers[answer]?.region === record.all_down?.group);
      return group.length > 0 ? group : items;
    }
    default:
      return items;
  }
}

/** Outside the band between the watermarks, the outcome is certain; inside, both outcomes are possible. */
const shedLoad: Apply = (items, situation, { metric }) => {
  let lists: Items[] = [[]];
  for (const item of items) {
    const fate = loadFate(item, situation, String(metric).toLowerCase());
    lists = lists.flatMap((list) => [
      ...(fate === "goes" ? [] : [[...list, item]]),
      ...(fate === "stays" ? [] : [list]),
    ]);
  }
  return lists;
};

function loadFate(item: Item, situation: Situation, metric: string): "stays" | "goes" | "either" {
  const load = situation.number(item, metric);
  const low = situation.number(item, "low_watermark");
  const high = situation.number(item, "high_watermark");
  if (load === undefined || high === undefined) return "stays";
  if (low === undefined) return load > high ? "goes" : "stays";
  if (load <= low) return "stays";
  return load >= high ? "goes" : "either";
}

const selectFirstRegion: Apply = (items, situation) => {
  const [first] = items;
  return [first ? items.filter((item) => situation.region(item) === situation.region(first)) : []];
};

const wholeNumber = (value: unknown) => Number(value ?? 1);

const prefixShuffle: Apply = (items, situation, { N }) => {
  if (situation.record.type !== "A") return [items];
  const made = items.flatMap((item): Item[] => {
    const blocks = blocksOf(situation.value(item, "ip_prefixes")) ?? [];
    const pool = blocks.filter(
      (block, i) =>
        block.family === 4 &&
        !blocks.some(
          (other, j) => other.family === 4 && j !== i && holds(other, block) && (j < i || !holds(block, other)),
        ),
    );
    const size = pool.reduce((sum, { first, last }) => sum + Number(last - first) + 1, 0);
    if (size === 0) return [item];
    return Array.from({ length: Math.min(wholeNumber(N), size) }, () => ({ answer: item.answer, pool }));
  });
  return [made];
};

type Range = { readonly first: bigint; readonly last: bigint };
const holds = (outer: Range, inner: Range) => outer.first <= inner.first && inner.last <= outer.last;

const parseIpv4: Apply = (items, { record, matched }, { separator }) => {
  if (record.type !== "A" || matched === undefined) return [items];
  const parts = matched.split(String(separator ?? "-"));
  const isAddress = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return [isAddress ? [...items, { answer: -1, address: parts.join(".") }] : items];
};

const passes: Apply = (items) => [items];

/** By id. `additional_metadata` leaves the answers alone; see `textsOf`. */
export const filters: Readonly<Record<string, Apply>> = {
  up,
  shed_load: shedLoad,
  ...fences,
  ...reorderings,
  select_first_n: (items, _situation, { N }) => [items.slice(0, wholeNumber(N))],
  select_first_region: selectFirstRegion,
  ipv4_prefix_shuffle: prefixShuffle,
  parse_ipv4: parseIpv4,
  additional_metadata: passes,
  pulsar: passes,
  pulse: passes,
  pulsar_performance_sort: passes,
  pulsar_performance_stabilize: passes,
  pulsar_availability_sort: passes,
  pulsar_availability_threshold: passes,
};

/** Filters whose outcome varies. */
export const drawing: ReadonlySet<string> = new Set([
  "shuffle",
  "weighted_shuffle",
  "shed_load",
  "ipv4_prefix_shuffle",
]);

/** Filters with more outcomes than the model can distinguish by client. */
export const permuting: ReadonlySet<string> = new Set([...drawing, ...["sticky", "sticky_region", "weighted_sticky"]]);

/** The values of `additional_metadata` on the answers that reach the filter. */
export const textsOf = (items: Items, situation: Situation): string[] =>
  items.flatMap((item) => {
    const value = situation.value(item, "additional_metadata");
    return value === undefined ? [] : [JSON.stringify(value)];
  });

export const configOf = (config: Table | null | undefined): Table => config ?? {};
