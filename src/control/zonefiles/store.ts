/** SQL of import jobs, and of exports. */
import type { Selectable } from "kysely";
import { across } from "../../storage/fence/exceptions.ts";
import { isAbandoned } from "../../storage/presence.ts";
import type { ImportJobTable } from "../../storage/tables/loads.ts";
import type { Db } from "../kit/store.ts";
import { listedColumns } from "../zones/model/record/store.ts";

export type JobRow = Selectable<ImportJobTable>;

type JobKey = Pick<JobRow, "account_id" | "id">;

export const findJob = (db: Db, { account_id, id }: JobKey): Promise<JobRow | undefined> =>
  db.selectFrom("import_job").selectAll().where("account_id", "=", account_id).where("id", "=", id).executeTakeFirst();

export async function insertJob(db: Db, row: Omit<JobRow, "response" | "response_code">): Promise<void> {
  await db.insertInto("import_job").values(row).execute();
}

/** Updates a job unless it is already finished. */
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

/** Gives abandoned jobs an outcome; returns their number. */
export async function settleJobs(
  db: Db,
  { response, ...fields }: Pick<JobRow, "status" | "response_code"> & { response: object },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("import_job")
    .set({ ...fields, percent: 100, response: JSON.stringify(response) })
    .where("response_code", "is", null)
    .where(isAbandoned("import_job.holder"))
    .modifyEnd(across("schedule"))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Forgets finished jobs that were sent before a time. */
export async function forgetJobs(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom("import_job")
    .where("response_code", "is not", null)
    .where("sent", "<", before)
    .modifyEnd(across("age"))
    .execute();
}

/** All records of a zone with the columns of listings, names in canonical order (RFC 4034 section 6.1). */
export const inOrder = (account_id: string, zone_id: string) => `
  select ${listedColumns} from record where account_id = ${literal(account_id)} and zone_id = ${literal(zone_id)}
  order by case when position('\\' in domain) = 0 then ${labels("domain", "label")} else ${escapedLabels} end`;

const literal = (id: string) => `'${id.replaceAll("'", "''")}'`;

/** The labels from the root on, compared by octet. The query is for a cursor, which takes no parameters. */
const labels = (domain: string, order: string) => `
  array(select ${order} from unnest(string_to_array(${domain}, '.')) with ordinality as labels (label, position)
    order by position desc) collate "C"`;

/**
 * The labels of a name with escapes. Before the name is split, \\ and \. are replaced by the octets 2 and 3. An octet
 * written in digits is below or above all printable octets.
 */
const escapedLabels = labels(
  String.raw`replace(replace(domain, '\\', chr(2)), '\.', chr(3))`,
  String.raw`translate(regexp_replace(regexp_replace(regexp_replace(label,
    '\\(0[0-3][0-9])', chr(1) || '\1', 'g'), '\\([0-9]{3})', chr(127) || '\1', 'g'), '\\(.)', '\1', 'g'),
    chr(2) || chr(3), '\.')`,
);
