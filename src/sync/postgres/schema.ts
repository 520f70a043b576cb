/** Keeps followers away from a store that this version cannot read. */
import type pg from "pg";

/** The first migration. Every store has it, but in stores of unreleased versions it has another name. */
export const firstMigration = "0001_schema";

/** The message that refuses a store of an unreleased version; `store` is what the operator calls the store. */
export const unreleased = (store: string) =>
  `${store} was made by an unreleased version of Fairlead, which this version can neither read nor export: ` +
  "start with an empty data directory (--data) or an empty database (--database-url)";

/** To be called before anything is written over a connection. */
export async function assertSchema(client: pg.Client): Promise<void> {
  const text = "select current_database() as database, bool_or(name = $1) as known from kysely_migration";
  const { rows } = await client.query<{ database: string; known: boolean | null }>(text, [firstMigration]);
  // null while control is making the schema
  if (rows[0]?.known === false) throw new Error(unreleased(`the database "${rows[0].database}"`));
}
