/** SQL of the counters that limit attempts. A counter is the time at which its budget is full again. */
import { sql } from "kysely";
import type { Db } from "../../kit/store.ts";

/** Counts one attempt in the subject's budget; returns undefined when the budget is empty. Safe under concurrency. */
export async function countOne(
  db: Db,
  subject: string,
  { now, cost, span }: { readonly now: number; readonly cost: number; readonly span: number },
): Promise<{ full_at: number } | undefined> {
  // a time beyond the span was written before the clock was set back
  const spent = sql<number>`least(greatest(attempt.full_at, ${now}::bigint), ${now + span}::bigint)`;
  return await db
    .insertInto("attempt")
    .values({ subject, full_at: now + cost })
    .onConflict((conflict) =>
      conflict
        .column("subject")
        .doUpdateSet({ full_at: sql<number>`${spent} + ${cost}::bigint` })
        .where(sql<boolean>`${spent} + ${cost}::bigint <= ${now + span}::bigint`),
    )
    .returning("full_at")
    .executeTakeFirst();
}

export const findAttempts = (db: Db, subject: string) =>
  db.selectFrom("attempt").select("full_at").where("subject", "=", subject).executeTakeFirst();

export async function uncountOne(db: Db, subject: string, cost: number): Promise<void> {
  await db
    .updateTable("attempt")
    .set({ full_at: sql<number>`full_at - ${cost}::bigint` })
    .where("subject", "=", subject)
    .execute();
}

export async function removeAttempts(db: Db, subject: string): Promise<void> {
  await db.deleteFrom("attempt").where("subject", "=", subject).execute();
}

/** Removes counters whose budget is full again. */
export async function trimAttempts(db: Db, now: number): Promise<void> {
  await db.deleteFrom("attempt").where("full_at", "<=", now).execute();
}
