/** The store's handles, and statements with a fixed text. */
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { across } from "../../storage/fence/exceptions.ts";
import type { Tables } from "../../storage/tables/index.ts";

/** The connection on which statements run: a transaction in writes, the pool in reads. */
export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** Names the share of the store's connections that requests of a network take while their caller is not known. */
export const shareOfNetwork = (network: string) => `network ${network}`;

/** A statement ready to be sent, with the type of its rows. */
export type Statement<Row = unknown> = CompiledQuery<Row>;

/** A statement with a fixed text, for paths where building it each time would cost more than sending it. */
export const statement = <Row>(text: string, parameters: readonly unknown[]): Statement<Row> =>
  // the type of the rows follows only from the text
  CompiledQuery.raw(text, [...parameters]) as Statement<Row>;

export const rowsOf = async <Row>(db: Db, query: Statement<Row>): Promise<readonly Row[]> =>
  (await db.executeQuery(query)).rows;

/**
 * SQL: whether a name is below another. Both are SQL of names in canonical spelling, in which a dot after an odd number of
 * backslashes is a part of a label.
 */
export const isBelow = (name: string, above: string) =>
  `(right(${name}, 1 + length(${above})) = '.' || ${above} and ${dotSplits(name, above)})`;

/** SQL: whether the dot before the last part of a name, which is as long as `above`, is one between labels. */
export const dotSplits = (name: string, above: string) =>
  String.raw`length(substring(left(${name}, -1 - length(${above})) from '\\*$')) % 2 = 0`;

/** The ids of all accounts, whose old rows are removed account by account to use an index. */
export async function accountsToTrim(db: Db): Promise<readonly string[]> {
  const accounts = await db.selectFrom("account").select("id").modifyEnd(across("age")).execute();
  return accounts.map(({ id }) => id);
}

/** Runs a step until it handles fewer than `full` rows; returns the sum. */
export async function repeated(full: number, step: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const rows = await step();
    sum += rows;
    if (rows < full) return sum;
  }
}

/** Makes a transaction read from one snapshot, and fail when it writes a row that has changed since. Call this before the first read. */
export async function holdSnapshot(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(tx);
}

/** Runs reads in the present transaction, or outside of transactions in a new one that reads from one snapshot. */
export const inSnapshot = <T>(db: Db, run: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction
    ? run(db)
    : db.transaction().execute(async (tx) => {
        await holdSnapshot(tx);
        return await run(tx);
      });

/**
 * Locks the account against other callers of this function, for rules that concern all of an account's rows of one
 * kind, such as their number. The account's row is written, not only locked: a transaction that reads from a snapshot
 * then starts again if another transaction has locked the account since.
 */
export async function lockAccount(db: Db, account_id: string): Promise<void> {
  await db
    .updateTable("account")
    .set(({ ref }) => ({ name: ref("name") }))
    .where("id", "=", account_id)
    .execute();
}

/** Whether the account is the operator's, which the first start of the service made. */
export async function isFirstAccount(db: Db, account_id: string): Promise<boolean> {
  const first = db.selectFrom("setting").select("value").where("name", "=", "first_account");
  return (await first.executeTakeFirst())?.value === account_id;
}
