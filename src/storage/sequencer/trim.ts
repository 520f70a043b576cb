/** Trims the change stream, which is only needed until all followers have it; the history of zones is kept. */
import { type Kysely, sql } from "kysely";
import { across } from "../fence/exceptions.ts";
import type { Tables } from "../tables/index.ts";

/** Seconds for which a change can be read by its id, even if every follower has it. */
const leastAge = 10 * 60;
const mostAge = 24 * 60 * 60;
const mostAtOnce = 5000;

/** Removes changes that every follower has or that are older than a day, and followers not seen for a day. */
export async function trimChanges(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom("follower")
    .where("seen_at", "<", now - mostAge)
    .execute();
  const { passed } = await db
    .selectFrom("follower")
    .select((eb) => eb.fn.min("revision").as("passed"))
    .executeTakeFirstOrThrow();
  while ((await trimSome(db, now, passed ?? Number.MAX_SAFE_INTEGER)) === mostAtOnce);
}

async function trimSome(db: Kysely<Tables>, now: number, passed: number): Promise<number> {
  const { rows: removed } = await sql<{ id: string; is_load: boolean }>`
    delete from change where (account_id, id) in (
      select account_id, id from change
      where revision is not null
        and (created < ${now - mostAge} or (revision <= ${passed} and created < ${now - leastAge}))
      order by revision limit ${mostAtOnce})
    returning id, is_load ${across("order")}`.execute(db);
  const loads = removed.filter((change) => change.is_load).map((change) => change.id);
  if (loads.length > 0) {
    await db.deleteFrom("change_load").where("id", "in", loads).execute();
    await db.deleteFrom("change_part").where("load_id", "in", loads).execute();
  }
  return removed.length;
}
