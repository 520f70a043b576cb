/** Keeps followers away from a store that this version cannot read. */
import type pg from "pg";

/** Every store has it. Stores that were made before the first format was settled have one of another name. */
export const firstMigration = "0001_schema";

/** The refusal of `store`, which is named as the operator knows it. */
export const unreleased = (store: string) =>
  `${store} was made by an unreleased version of Fairlead, which this version can neither read nor export: ` +
  "start with an empty data directory (--data) or an empty database (--database-url)";

/** To be called before anything is written over a connection. */
export async function assertSchema(client: pg.Client): Promise<void> {
  const text = "select current_database() as database, bool_or(name = $1) as known from kysely_migration";
  const { rows } = await client.query<{ database: string; known: boolean | null }>(text, [firstMigration]);
  // null where a control is making the schema at the moment
  if (rows[0]?.known === false) throw new Error(unreleased(`the database "${rows[0].database}"`));
}
