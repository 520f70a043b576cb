/** SQL of the control processes that run, by the store's clock. */
import { sql } from "kysely";
import { storeNow } from "../../storage/lease.ts";
import type { ControlProcessTable } from "../../storage/tables/streams.ts";
import type { Db } from "../kit/store.ts";

/** Seconds without a sign after which a process no longer counts as running, and its row is removed by another one. */
export const awayAfter = 60;

const now = sql<number>`(${storeNow} / 1000)`;

/** Inserts the row of a process, or renews it, and removes rows of processes that ended without doing so. */
export async function renewProcess(
  db: Db,
  { id, host, version }: Pick<ControlProcessTable, "id" | "host" | "version">,
): Promise<void> {
  await db
    .insertInto("control_process")
    .values({ id, host, version, started: now, seen_at: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: now }))
    .execute();
  await db.deleteFrom("control_process").where("seen_at", "<", sql<number>`${now} - ${awayAfter}::bigint`).execute();
}

export async function removeProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom("control_process").where("id", "=", id).execute();
}
