/** The outbox of the change stream: what a write transaction leaves there last, and what became of it. */
import type { Kysely, Transaction } from "kysely";
import { newId } from "../lib/ids.ts";
import { composeChanges, composeReference, refer } from "../sync/body.ts";
import { type Change, maxInlineOctets } from "../sync/change.ts";
import type { Tables } from "./tables.ts";

/** What one change took from a zone and gave to it, in the form that histories keep. */
export interface ZoneDifference {
  readonly zone_id: string;
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
}

export interface NewChange {
  readonly account_id: string;
  /** Zones that get a new serial. */
  readonly zone_ids: readonly string[];
  readonly changes: readonly Change[];
  /** At most one entry for each zone. */
  readonly history: readonly ZoneDifference[];
  /** Unix seconds. */
  readonly now: number;
}

export interface ChangeProgress {
  readonly id: string;
  /** Null until the sequencer has numbered the change. */
  readonly revision: number | null;
  readonly serials: Readonly<Record<string, number>> | null;
}

/**
 * The last statements of a write transaction: the row's place in the order is drawn here, when every lock is held.
 * Changes above `maxInlineOctets` are stored as a load, and the row refers to it.
 */
export async function insertChange(tx: Transaction<Tables>, change: NewChange): Promise<{ id: string }> {
  const { account_id, zone_ids, changes, history, now } = change;
  const id = newId();
  const text = composeChanges(changes);
  const isLoad = Buffer.byteLength(text) > maxInlineOctets;
  const load = refer(id, text);
  // sent together: one wait instead of three, and still in this order
  await Promise.all([
    history.length > 0 && insertHistory(tx, change, id),
    isLoad && tx.insertInto("change_load").values({ id, checksum: load.checksum, body: text, created: now }).execute(),
    tx
      .insertInto("change")
      .values({
        id,
        account_id,
        zone_ids: JSON.stringify(zone_ids),
        body: isLoad ? composeReference(load) : text,
        is_load: isLoad,
        created: now,
      })
      .execute(),
  ]);
  return { id };
}

const insertHistory = (tx: Transaction<Tables>, { account_id, history, now }: NewChange, change_id: string) =>
  tx
    .insertInto("zone_history")
    .values(
      history.map(({ zone_id, removed, added }) => ({
        account_id,
        zone_id,
        change_id,
        at: now,
        removed: JSON.stringify(removed),
        added: JSON.stringify(added),
      })),
    )
    .execute();

/** A change that is not trimmed yet. */
export async function findChange(
  db: Kysely<Tables>,
  account_id: string,
  id: string,
): Promise<ChangeProgress | undefined> {
  return await db
    .selectFrom("change")
    .select(["id", "revision", "serials"])
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .executeTakeFirst();
}
