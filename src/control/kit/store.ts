/** The store's handles under the names that the rest of the service uses, and statements whose text is fixed. */
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "../../storage/tables/index.ts";

/** Where statements run: a transaction in writes, the pool in reads. */
export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** A statement that is ready to be sent, whose rows are of this type. */
export type Statement<Row = unknown> = CompiledQuery<Row>;

/** Made of a fixed text, on paths where building it each time would cost more than sending it. */
export const statement = <Row>(text: string, parameters: readonly unknown[]): Statement<Row> =>
  // only the text knows what rows it selects
  CompiledQuery.raw(text, [...parameters]) as Statement<Row>;

export const rowsOf = async <Row>(db: Db, query: Statement<Row>): Promise<readonly Row[]> =>
  (await db.executeQuery(query)).rows;

/** Makes a transaction that has not begun to read see one moment only, and fail when a row it writes has changed since. */
export async function holdSnapshot(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(tx);
}

/** Runs reads that see one moment only: that of the transaction they are in already, or of one of their own. */
export const inSnapshot = <T>(db: Db, run: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction
    ? run(db)
    : db.transaction().execute(async (tx) => {
        await holdSnapshot(tx);
        return await run(tx);
      });

/**
 * Holds the account against others that hold it: for rules over all rows of a kind. Its row is written, and not only
 * locked, so that a transaction which sees one moment only starts again when another has held it since that moment.
 */
export async function lockAccount(db: Db, account_id: string): Promise<void> {
  await db
    .updateTable("account")
    .set(({ ref }) => ({ name: ref("name") }))
    .where("id", "=", account_id)
    .execute();
}
