/** Why a follower of the store failed, for the log. */
import pg from "pg";

const undefinedTable = "42P01";

export const reasonOf = (error: unknown): string =>
  error instanceof pg.DatabaseError && error.code === undefinedTable
    ? `the store has no schema yet (${error.message}): start fairlead control first`
    : String(error);
