/** The answers in a chain, and the results of a filter: all outcomes that its rules allow. */
import type { Block } from "./address.ts";
import type { ModelClient } from "./client.ts";
import { type ModelFeeds, type ModelRecord, metaOf, numeric, type Table } from "./meta.ts";

/** One item of the list of answers. */
export interface Item {
  /** Index in the record's answers; -1 for an answer that a filter made out of nothing. */
  readonly answer: number;
  /** An IPv4 address that a filter made. */
  readonly address?: string;
  /** Any IPv4 address in these blocks; items of the same answer have different addresses. */
  readonly pool?: readonly Block[];
}

export type Items = readonly Item[];

export class Situation {
  readonly record: ModelRecord;
  readonly feeds: ModelFeeds;
  readonly client: ModelClient;
  /** The labels that the `*` of a wildcard record matched. */
  readonly matched: string | undefined;

  constructor(record: ModelRecord, feeds: ModelFeeds, client: ModelClient, matched: string | undefined) {
    this.record = record;
    this.feeds = feeds;
    this.client = client;
    this.matched = matched;
  }

  value({ answer }: Item, key: string): unknown {
    return metaOf(this.record, this.feeds, answer, key);
  }

  number(item: Item, key: string): number | undefined {
    return numeric(this.value(item, key));
  }

  region({ answer }: Item): string {
    return this.record.answers[answer]?.region ?? "";
  }

  /** Whether any table of the record has the key. */
  names(key: string): boolean {
    const { answers, regions, meta } = this.record;
    return [meta, ...answers.map((answer) => answer.meta), ...Object.values(regions).map((region) => region.meta)].some(
      (table) => table?.[key] !== undefined,
    );
  }
}

/** All lists of items that a filter may leave; a single list if it does not draw. */
export type Apply = (items: Items, situation: Situation, config: Table) => readonly Items[];

/** Sorts by a key, lowest first; items without a key come last, in their previous order. */
export function sorted(items: Items, keyOf: (item: Item) => number | undefined): Items {
  return items
    .map((item) => ({ item, key: keyOf(item) ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => (a.key === b.key ? 0 : a.key - b.key))
    .map(({ item }) => item);
}

/** Every order of a few things. */
export function orders<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]];
  return things.flatMap((first, i) => orders(things.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}
