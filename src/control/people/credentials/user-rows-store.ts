/** SQL that is the same for all rows of a user: credentials, codes, tokens, sessions, drafts and saved views. */
import { sql } from "kysely";
import type { Db } from "../../kit/store.ts";

/** A reference to a user. */
export interface UserRef {
  readonly account_id: string;
  readonly id: string;
}

/** The condition that a row belongs to the user. */
export const ofUser = ({ account_id, id }: UserRef) => sql<boolean>`account_id = ${account_id} and user_id = ${id}`;

type Table = "user_credential" | "recovery_code" | "user_token" | "draft" | "saved_view";

/** Removes all of a user's rows. */
export async function removeRows(db: Db, table: Table, user: UserRef): Promise<void> {
  await db.deleteFrom<Table>(table).where(ofUser(user)).execute();
}

/** Runs a statement with `returning`. Returns whether it changed any row. */
export const hasChanged = async (statement: { execute(): Promise<readonly unknown[]> }): Promise<boolean> =>
  (await statement.execute()).length > 0;
