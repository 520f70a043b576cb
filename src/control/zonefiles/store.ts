/** SQL of import jobs. */

import type { Selectable } from "kysely";
import { isAbandoned } from "../../storage/presence.ts";
import type { ImportJobTable } from "../../storage/tables.ts";
import type { Db } from "../store.ts";

export type JobRow = Selectable<ImportJobTable>;

type JobKey = Pick<JobRow, "account_id" | "id">;

export const findJob = (db: Db, { account_id, id }: JobKey): Promise<JobRow | undefined> =>
  db.selectFrom("import_job").selectAll().where("account_id", "=", account_id).where("id", "=", id).executeTakeFirst();

export async function insertJob(db: Db, row: Omit<JobRow, "response" | "response_code">): Promise<void> {
  await db.insertInto("import_job").values(row).execute();
}

/** Leaves a job alone that is finished already. */
export async function updateJob(
  db: Db,
  { account_id, id }: JobKey,
  { response, ...fields }: Partial<Pick<JobRow, "percent" | "status" | "response_code" | "response">>,
): Promise<void> {
  await db
    .updateTable("import_job")
    .set({ ...fields, ...(response === undefined ? {} : { response: JSON.stringify(response) }) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where("response_code", "is", null)
    .execute();
}

/** Gives jobs an outcome that nobody goes on with; returns how many there were. */
export async function settleJobs(
  db: Db,
  { response, ...fields }: Pick<JobRow, "status" | "response_code"> & { response: object },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("import_job")
    .set({ ...fields, percent: 100, response: JSON.stringify(response) })
    .where("response_code", "is", null)
    .where(isAbandoned("import_job.holder"))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Forgets finished jobs that were sent before a time. */
export async function forgetJobs(db: Db, before: number): Promise<void> {
  await db.deleteFrom("import_job").where("response_code", "is not", null).where("sent", "<", before).execute();
}
