/** The outbox of the change stream: what a write transaction leaves there last, and what became of it. */
import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import { newId } from "../../lib/ids.ts";
import { composeChanges, composeReference, refer } from "../../sync/body.ts";
import { type Change, maxInlineOctets, type ZoneContents } from "../../sync/change.ts";
import { insertion } from "../connection/insertion.ts";
import { sendLast } from "../connection/transaction.ts";
import type { Tables } from "../tables/index.ts";

/** What one change took from a zone and gave to it, in the form that histories keep. */
export interface ZoneDifference {
  readonly zone_id: string;
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
  /** The serial that the zone was brought back to. */
  readonly restored?: number;
}

/** Who makes a change, and by what act: as in the activity log. */
export interface Author {
  readonly user_id: string;
  readonly user_name: string;
  readonly user_type: string;
  readonly action: string | undefined;
}

export interface NewChange {
  readonly account_id: string;
  /** Unique in its account. */
  readonly id: string;
  /** Zones that get a new serial. */
  readonly zone_ids: readonly string[];
  readonly changes: readonly Change[];
  /** At most one entry for each zone. */
  readonly history: readonly ZoneDifference[];
  readonly author?: Author;
  /** Unix seconds. */
  readonly now: number;
  /** By zone id: serials that another server gave, or null for a zone that keeps the one it has. */
  readonly given?: Readonly<Record<string, number | null>> | undefined;
}

export interface ChangeProgress {
  readonly id: string;
  /** Null until the sequencer has numbered the change. */
  readonly revision: number | null;
  readonly serials: Readonly<Record<string, number>> | null;
  /** Unix seconds. */
  readonly created: number;
}

/** A change under the id of the load that it refers to, with which the load is trimmed, or else under its own. */
export function newChange(change: Omit<NewChange, "id">, id = newId()): NewChange {
  const contents = change.changes.find(isContents);
  return { ...change, id: contents?.load.id ?? id };
}

const isContents = (step: Change): step is ZoneContents => step.kind === "contents";

/**
 * The last statements of a write transaction: the changes' places in the order are drawn here, when every lock is held.
 * Changes above `maxInlineOctets` are stored as a load, and the row refers to it. Only for `Store.transaction`, which
 * sends them together with COMMIT.
 */
export function insertChanges(tx: Transaction<Tables>, changes: readonly NewChange[]): void {
  const bodies = changes.map(bodyOf);
  const send = (text: string, rows: readonly unknown[]) => {
    if (rows.length > 0) sendLast(tx, CompiledQuery.raw(text, [JSON.stringify(rows)]));
  };
  send(
    insertLoads,
    bodies.flatMap(({ load }) => load ?? []),
  );
  send(insertHistories, changes.flatMap(historyOf));
  send(
    insertRows,
    changes.map(({ account_id, id, zone_ids, now, given = null, changes: steps }, i) => {
      const { body, load } = bodies[i]!;
      const is_load = load !== undefined || steps.some(isContents);
      return { account_id, id, zone_ids, body, is_load, created: now, given };
    }),
  );
}

// every write passes here: fixed texts, made and prepared once
const insertLoads = insertion("change_load", { id: "text", checksum: "text", body: "text", created: "bigint" });
const insertHistories = insertion("zone_history", {
  account_id: "text",
  zone_id: "text",
  change_id: "text",
  at: "bigint",
  removed: "json",
  added: "json",
  ...{ user_id: "text", user_name: "text", user_type: "text", action: "text", restored: "bigint" },
});
const insertRows = insertion("change", {
  account_id: "text",
  id: "text",
  zone_ids: "json",
  body: "text",
  is_load: "boolean",
  created: "bigint",
  given: "json",
});

interface Body {
  readonly body: string;
  readonly load?: { readonly id: string; readonly checksum: string; readonly body: string; readonly created: number };
}

function bodyOf({ id, changes, now }: NewChange): Body {
  const text = composeChanges(changes);
  if (Buffer.byteLength(text) <= maxInlineOctets) return { body: text };
  const load = refer(id, text);
  return { body: composeReference(load), load: { id, checksum: load.checksum, body: text, created: now } };
}

const historyOf = ({ account_id, id, history, author, now }: NewChange) =>
  history.map((difference) => ({ account_id, change_id: id, at: now, ...author, ...difference }));

/** A change that is not trimmed yet. */
export async function findChange(
  db: Kysely<Tables>,
  account_id: string,
  id: string,
): Promise<ChangeProgress | undefined> {
  return await db
    .selectFrom("change")
    .select(["id", "revision", "serials", "created"])
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .executeTakeFirst();
}
