/** SQL of the cells that the feeds of an account take in the tables of edges. */
import { mostCells as mostInTable } from "../../../answer/live/layout.ts";
import { Problem } from "../../../lib/problem.ts";
import { limits } from "../../kit/limits.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";

/** The cells of all accounts: the other half of an edge's table is for keys that are unset for a while. */
const mostOfAll = mostInTable >> 1;

/**
 * Composes the condition that `cells` of an account are too many, or that all accounts have too many after a further
 * growth. Only the second limit applies to the operator's first account.
 */
export const isFull = (account_id: string, cells: string, growth: string) => `
  (${cells} > ${limits.feedCells}
    and ${account_id} is distinct from (select value from setting where name = 'first_account')
  or all_cells() + ${growth} > ${mostOfAll})`;

const fullText = `
  select account_id from account_cells where account_id = $1 and ${isFull("account_id", "cells", "0")}`;

/** Throws when the feeds of the account take too many cells after a change. */
export async function assertRoom(db: Db, account_id: string): Promise<void> {
  const full = await rowsOf(db, statement(fullText, [account_id]));
  if (full.length > 0) throw cellsFull(account_id);
}

/** 507: nothing of the change is stored. */
export const cellsFull = (account_id: string) =>
  new Problem(
    "unavailable",
    `the metadata values in the feeds of account ${account_id} would exceed its limit of ${limits.feedCells}, or the service's limit of ${mostOfAll}: nothing was stored`,
    { account: account_id, limit: limits.feedCells },
    507,
  );
