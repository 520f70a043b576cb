/** Trims the change stream, which is only needed until all followers have it; the history of zones is kept. */
import type { Kysely } from "kysely";
import { across } from "../fence/exceptions.ts";
import type { Tables } from "../tables/index.ts";

/** Seconds for which a change can be read by its id, even if every follower has it. */
const minAge = 10 * 60;
const maxAge = 24 * 60 * 60;
const mostAtOnce = 5000;

/** Removes changes that every follower has or that are older than a day, and followers not seen for a day. */
export async function trimChanges(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom("follower")
    .where("seen_at", "<", now - maxAge)
    .execute();
  const { passed } = await db
    .selectFrom("follower")
    .select((eb) => eb.fn.min("revision").as("passed"))
    .executeTakeFirstOrThrow();
  while ((await trimSome(db, now, passed ?? Number.MAX_SAFE_INTEGER)) === mostAtOnce);
}

async function trimSome(db: Kysely<Tables>, now: number, passed: number): Promise<number> {
  const removed = await db
    .deleteFrom("change")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "id"),
        "in",
        eb
          .selectFrom("change")
          .select(["account_id", "id"])
          .where("revision", "is not", null)
          .where((or) =>
            or.or([
              or("created", "<", now - maxAge),
              or.and([or("revision", "<=", passed), or("created", "<", now - minAge)]),
            ]),
          )
          .orderBy("revision")
          .limit(mostAtOnce)
          .$asTuple("account_id", "id"),
      ),
    )
    .returning(["id", "is_load"])
    .modifyEnd(across("order"))
    .execute();
  const loads = removed.filter((change) => change.is_load).map((change) => change.id);
  if (loads.length > 0) {
    await db.deleteFrom("change_load").where("id", "in", loads).execute();
    await db.deleteFrom("change_part").where("load_id", "in", loads).execute();
  }
  return removed.length;
}
