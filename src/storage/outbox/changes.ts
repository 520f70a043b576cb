/** The outbox of the change stream, written last in a write transaction, and the progress of a change. */
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { jsonInSteps } from "../../lib/fair/json-in-steps.ts";
import type { LongWork } from "../../lib/fair/yield.ts";
import { newId } from "../../lib/ids.ts";
import { changesIn, composeReference, refer } from "../../sync/body.ts";
import { type Change, mostInlineOctets, type ZoneContents } from "../../sync/change.ts";
import { insertion } from "../connection/insertion.ts";
import { sendLast } from "../connection/transaction.ts";
import type { Tables } from "../tables/index.ts";

/** The records that a change removed from a zone and added to it, in the format of the history. */
export interface ZoneDifference {
  readonly zone_id: string;
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
  /** The serial of the version that was restored. */
  readonly restored?: number;
}

/** The author and action of a change, as in the activity log. */
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
  /** The zones that get a new serial. */
  readonly zone_ids: readonly string[];
  readonly changes: readonly Change[];
  /** At most one entry for each zone. */
  readonly history: readonly ZoneDifference[];
  readonly author?: Author;
  /** Unix seconds. */
  readonly now: number;
  /** By zone id: the serial from another server, or null for a zone that keeps its serial. */
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

/** Makes a change. It has the id of its load, so that both are trimmed together, or otherwise a new id. */
export function newChange(change: Omit<NewChange, "id">, id = newId()): NewChange {
  const contents = change.changes.find(isContents);
  return { ...change, id: contents?.load.id ?? id };
}

const isContents = (step: Change): step is ZoneContents => step.kind === "contents";

/**
 * Sends the last statements of a write transaction, which draw the changes' positions in the order while every lock is
 * held. Changes above `mostInlineOctets` are stored as a load, and the row refers to it. With `work`, it
 * gives way while it composes large ones. Only for `Store.transaction`, which sends them together with COMMIT.
 */
export async function insertChanges(
  tx: Transaction<Tables>,
  changes: readonly NewChange[],
  work?: LongWork,
): Promise<void> {
  const bodies: Body[] = [];
  for (const change of changes) bodies.push(bodyOf(change, await jsonInSteps(changesIn(change.changes), work)));
  const send = async (text: string, rows: readonly unknown[]) => {
    if (rows.length > 0) sendLast(tx, CompiledQuery.raw(text, [await jsonInSteps(rows, work)]));
  };
  await send(
    insertLoads,
    bodies.flatMap(({ load }) => load ?? []),
  );
  await send(insertHistories, changes.flatMap(historyOf));
  await send(
    insertRows,
    changes.map(({ account_id, id, zone_ids, now, given = null, changes: steps }, i) => {
      const { body, load } = bodies[i]!;
      const is_load = load !== undefined || steps.some(isContents);
      return { account_id, id, zone_ids, body, is_load, created: now, given };
    }),
  );
}

// every write uses these: fixed texts, composed and prepared once
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

function bodyOf({ id, now }: NewChange, text: string): Body {
  if (Buffer.byteLength(text) <= mostInlineOctets) return { body: text };
  const load = refer(id, text);
  return { body: composeReference(load), load: { id, checksum: load.checksum, body: text, created: now } };
}

const historyOf = ({ account_id, id, history, author, now }: NewChange) =>
  history.map((difference) => ({ account_id, change_id: id, at: now, ...author, ...difference }));

/** The channel on which a process reports a committed change to the sequencer. */
export const wakeChannel = "fairlead_wake";

/** Wakes the sequencer of another process after a commit. Never fails: otherwise the sequencer finds the change at its next poll. */
export async function announceChange(db: Kysely<Tables>): Promise<void> {
  await sql
    .raw(`begin; set local synchronous_commit = off; notify ${wakeChannel}; commit`)
    .execute(db)
    .catch(() => {});
}

/** Finds a change; undefined when it was trimmed. */
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
