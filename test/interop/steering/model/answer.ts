/** The answers that a question may get: the chain of each record on the way, over all outcomes that its filters allow. */
import { type Address, has, scan } from "./address.ts";
import { ModelClient, type ReadName } from "./client.ts";
import { configOf, filters, textsOf } from "./filters.ts";
import type { GeoModel } from "./geo.ts";
import { type Item, type Items, Situation } from "./items.ts";
import { isYes, type ModelFeeds, type ModelRecord } from "./meta.ts";

export interface World {
  /** By domain and type, such as `www.example.com A`; wildcards by their `*`. */
  readonly records: ReadonlyMap<string, ModelRecord>;
  readonly geo: GeoModel;
  readonly feeds: ModelFeeds;
}

export interface Asking {
  readonly domain: string;
  readonly type: ModelRecord["type"];
  /** Undefined when the query has no subnet, or one with 0 bits. */
  readonly subnet: Address | undefined;
  /** The sender of the packet. */
  readonly source: Address;
}

/** The possible results of one record. */
export interface Link {
  readonly record: ModelRecord;
  readonly items: Items;
  readonly texts: readonly string[];
}

export interface Outcome {
  readonly links: readonly Link[];
  /** The longest allowed scope of the answer. */
  readonly depth: number;
}

export interface Notes {
  /** Called when a filter has run, with whether it changed anything. */
  ran(filter: string, acted: boolean): void;
  read(name: ReadName): void;
}

export function outcomesOf(world: World, asking: Asking, notes?: Notes): Outcome[] {
  const found = findRecord(world, asking.domain, asking.type);
  if (found === undefined) return [{ links: [], depth: 0 }];
  const { record, matched } = found;
  const own = record.use_client_subnet ? asking.subnet : undefined;
  const client = new ModelClient(world.geo, own ?? asking.source);
  const situation = new Situation(record, world.feeds, client, matched);
  const left = runChain(situation, notes);
  for (const name of client.reads) notes?.read(name);
  return left.flatMap(({ items, texts, depth }) => {
    const link = { record, items, texts: items.length > 0 ? texts : [] };
    const here: Outcome = { links: [link], depth: own ? depth : 0 };
    const target = record.type === "CNAME" ? items[0] : undefined;
    if (target === undefined || asking.type === "CNAME") return here;
    const next = { ...asking, domain: String(record.answers[target.answer]?.answer[0]) };
    return outcomesOf(world, next, notes).map((behind) => ({
      links: [...here.links, ...behind.links],
      depth: Math.max(here.depth, behind.depth),
    }));
  });
}

/** The record of the queried type at a name, or the CNAME there; otherwise that of the nearest wildcard. */
function findRecord({ records }: World, domain: string, type: string) {
  const at = (owner: string) => records.get(`${owner} ${type}`) ?? records.get(`${owner} CNAME`);
  const own = at(domain);
  if (own) return { record: own, matched: undefined };
  const labels = domain.split(".");
  for (let above = 1; above < labels.length; above++) {
    const record = at(`*.${labels.slice(above).join(".")}`);
    if (record) return { record, matched: labels.slice(0, above).join(".") };
  }
  return undefined;
}

interface State {
  readonly items: Items;
  readonly texts: readonly string[];
  readonly depth: number;
}

function runChain(situation: Situation, notes?: Notes): State[] {
  const { record, client } = situation;
  if (record.answers.length === 0) return [{ items: [], texts: [], depth: 0 }];
  let states: State[] = [{ items: record.answers.map((_, answer) => ({ answer })), texts: [], depth: 0 }];
  for (const { filter, config, disabled } of record.filters) {
    if (isYes(disabled)) continue;
    const next = new Map<string, State>();
    let acted = false;
    for (const { items, texts, depth } of states) {
      client.depth = 0;
      const lists = filters[filter]!(items, situation, configOf(config));
      const added = filter === "additional_metadata" ? textsOf(items, situation) : [];
      if (lists.length !== 1 || keyOf(lists[0]!) !== keyOf(items) || added.length > 0) acted = true;
      for (const list of lists) {
        const state = { items: list, texts: [...texts, ...added], depth: Math.max(depth, client.depth) };
        next.set(`${keyOf(list)} ${state.texts.join()} ${state.depth}`, state);
      }
    }
    states = [...next.values()];
    notes?.ran(filter, acted);
  }
  return states;
}

const keyOf = (items: Items) =>
  items.map(({ answer, address, pool }) => `${answer}${address ?? ""}${pool ? "m" : ""}`).join();

/** A server's result: RDATA in order, by record on the way; IPv6 addresses are hexadecimal numbers. */
export interface ServerResult {
  readonly links: readonly (readonly string[])[];
  readonly texts: readonly string[];
  readonly scope: number;
}

/** Whether an outcome allows the server's result. */
export function allows({ links, depth }: Outcome, result: ServerResult): boolean {
  if (result.scope > depth) return false;
  if (links.flatMap(({ texts }) => [...new Set(texts)]).join("\n") !== result.texts.join("\n")) return false;
  const answered = links.filter(({ items }) => items.length > 0);
  return answered.length === result.links.length && answered.every((link, i) => fits(link, result.links[i]!));
}

/** Equal RDATA are sent once, at the first position; of a CNAME, only the first answer is sent. */
function fits({ record, items }: Link, rdata: readonly string[]): boolean {
  const wanted = record.type === "CNAME" ? items.slice(0, 1) : items;
  return new Set(rdata).size === rdata.length && match(record, wanted, rdata, 0, new Map());
}

/** `used` has the addresses that each answer's pool has already given. */
function match(
  record: ModelRecord,
  [item, ...rest]: readonly Item[],
  rdata: readonly string[],
  seen: number,
  used: ReadonlyMap<number, readonly string[]>,
): boolean {
  if (item === undefined) return seen === rdata.length;
  // the item is either the next RDATA, or a repetition of earlier RDATA
  const candidates = [...rdata.slice(0, seen), ...rdata.slice(seen, seen + 1)];
  return candidates.some((one, at) => {
    if (!stands(record, item, one, used)) return false;
    const own = item.pool ? new Map([...used, [item.answer, [...(used.get(item.answer) ?? []), one]]]) : used;
    return match(record, rest, rdata, Math.max(seen, at + 1), own);
  });
}

function stands(record: ModelRecord, item: Item, one: string, used: ReadonlyMap<number, readonly string[]>): boolean {
  if (item.address !== undefined) return item.address === one;
  if (item.pool === undefined) return rdataOf(record, item.answer) === one;
  return !used.get(item.answer)?.includes(one) && item.pool.some((block) => has(block, scan(one)));
}

/** The RDATA of an answer in the form of `ServerResult`. */
const rdataOf = ({ type, answers }: ModelRecord, index: number): string => {
  const text = String(answers[index]?.answer[0]);
  return type === "AAAA" ? scan(text).value.toString(16) : text;
};
