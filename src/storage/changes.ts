/** The outbox of the change stream: what a write transaction leaves there last, and what became of it. */
import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import { newId } from "../lib/ids.ts";
import { composeChanges, composeReference, refer } from "../sync/body.ts";
import { type Change, maxInlineOctets } from "../sync/change.ts";
import type { Tables } from "./tables.ts";
import { sendLast } from "./transaction.ts";

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
 * Changes above `maxInlineOctets` are stored as a load, and the row refers to it. Only for `Store.transaction`, which
 * sends them together with COMMIT.
 */
export async function insertChange(tx: Transaction<Tables>, change: NewChange): Promise<{ id: string }> {
  const { account_id, zone_ids, changes, history, now } = change;
  const id = newId();
  const text = composeChanges(changes);
  let body = text;
  const isLoad = Buffer.byteLength(text) > maxInlineOctets;
  if (isLoad) {
    const load = refer(id, text);
    body = composeReference(load);
    sendLast(tx, CompiledQuery.raw(insertLoad, [id, load.checksum, text, now]));
  }
  if (history.length > 0) sendLast(tx, CompiledQuery.raw(insertHistory, historyValues(change, id)));
  const row = [account_id, id, JSON.stringify(zone_ids), body, isLoad, now];
  sendLast(tx, CompiledQuery.raw(insertRow, row));
  return { id };
}

// every write passes here: fixed texts, made and prepared once
const insertLoad = "insert into change_load (id, checksum, body, created) values ($1, $2, $3, $4)";
const insertHistory = `
  insert into zone_history (account_id, zone_id, change_id, at, removed, added)
  select $1, given.zone_id, $2, $3, given.removed::json, given.added::json
  from unnest($4::text[], $5::text[], $6::text[]) as given (zone_id, removed, added)`;
const insertRow =
  "insert into change (account_id, id, zone_ids, body, is_load, created) values ($1, $2, $3, $4, $5, $6)";

const historyValues = ({ account_id, history, now }: NewChange, change_id: string) => [
  ...[account_id, change_id, now],
  history.map((difference) => difference.zone_id),
  history.map((difference) => JSON.stringify(difference.removed)),
  history.map((difference) => JSON.stringify(difference.added)),
];

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
