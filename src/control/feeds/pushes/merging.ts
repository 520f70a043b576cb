/** Merges pushed tables into those of feeds, within the limits of one table and of one transaction. */
import { invalid } from "../../../lib/problem.ts";
import type { Db } from "../../kit/store.ts";
import { type Delivery, mergeTables, type Table } from "../types/sourcetype.ts";
import type { KnownSource } from "./known.ts";
import { dataOf, lockFeeds, octetsOfData } from "./push-store.ts";

/** Octets of the tables in one push, each table counted for every feed that it reaches; other pushes wait while the push is stored. */
export const mostOctets = 4 * 1024 * 1024;

export const feedsOf = (deliveries: readonly Delivery[]): number =>
  deliveries.reduce((sum, { feeds }) => sum + feeds.length, 0);

export const octetsOf = (deliveries: readonly Delivery[]): number =>
  deliveries.reduce((sum, { feeds, table }) => sum + feeds.length * table.text.length, 0);

/** One feed's new values: those of the last of several pushes, or of several that are merged. */
export interface Fresh {
  readonly source: KnownSource;
  readonly feed_id: string;
  readonly table: Table;
  /** Whether the table is still to be merged into the feed's. */
  readonly merges: boolean;
}

/** Merging would make the table of a feed too large, or all tables of the transaction together if no feed is named. */
export class Unmergeable extends Error {
  readonly feed_id: string | undefined;

  /** `cause` is the Problem for the push that is to blame. */
  constructor(feed_id: string | undefined, cause: unknown) {
    super("pushed tables cannot be merged", { cause });
    this.feed_id = feed_id;
  }
}

/** The values with the tables that are to be stored, after merging. */
export async function whole(tx: Db, values: readonly Fresh[]): Promise<readonly Fresh[]> {
  const merging = values.filter(({ merges }) => merges);
  if (merging.length === 0) return values;
  // all of them, since others lock all of theirs in the same order
  await lockFeeds(tx, values.map(keyOf));
  const sizes = await octetsOfData(tx, merging.map(keyOf));
  if ([...sizes.values()].reduce((sum, octets) => sum + octets, 0) > mostOctets)
    throw new Unmergeable(undefined, tooMuch());
  const stored = await dataOf(tx, merging.map(keyOf));
  return values.map((value) => {
    const data = value.merges ? stored.get(value.feed_id) : undefined;
    return data ? { ...value, table: merged(value.feed_id, { data, unset: [] }, value.table) } : value;
  });
}

const keyOf = ({ source: { account_id }, feed_id }: Fresh) => ({ account_id, feed_id });

const tooMuch = () =>
  invalid(`a push can be merged into feeds with at most ${mostOctets} octets of JSON together`, { limit: mostOctets });

export function merged(feed_id: string, before: Pick<Table, "data" | "unset">, sent: Table): Table {
  try {
    return mergeTables(before, sent, `the merged table of the feed ${feed_id}`);
  } catch (error) {
    throw new Unmergeable(feed_id, error);
  }
}
