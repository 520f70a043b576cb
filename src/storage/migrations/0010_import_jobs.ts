/** Imports that nobody waits for, as their clients ask for them: also after the process that ran them has ended. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const statements = [
  `create table import_job (
     account_id ${name}, id ${name}, zone ${name}, sent bigint not null, percent integer not null,
     status text not null, holder ${name}, response_code integer, response json,
     primary key (account_id, id))`,
  "create index import_job_unfinished on import_job (holder) where response_code is null",
];

export const importJobs: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
