/** The octets that all keys, users and teams of an account may have together. */
import { invalid } from "../../../lib/problem.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import { holderColumns, sizeOfHolders } from "./rows-store.ts";

type HolderTable = keyof typeof holderColumns;
type Row = Readonly<Record<string, unknown>>;
type RoomCtx = Pick<Ctx, "db" | "account_id">;

/**
 * Throws when a new or larger key, user or team has no room in the account. For writes that lock the account, before
 * they write the row. What becomes smaller is always allowed.
 */
export const assertRoom = (ctx: RoomCtx, table: HolderTable, row: Row, before?: Row): Promise<void> =>
  assertRoomFor(ctx, octetsOf(table, row) - (before ? octetsOf(table, before) : 0));

/** Like `assertRoom`, for so many octets more. */
export async function assertRoomFor({ db, account_id }: RoomCtx, growth: number): Promise<void> {
  if (growth <= 0) return;
  const most = limits.holdersMegabytes * 1024 * 1024;
  const used = await sizeOfHolders(db, account_id);
  if (used + growth <= most) return;
  throw invalid(
    `the keys, users and teams of an account can have at most ${most} octets of permissions, allow lists and other JSON together; they have ${used}, and ${growth} would be added`,
    { limit: most },
  );
}

const octetsOf = (table: HolderTable, row: Row): number =>
  holderColumns[table].reduce((sum, column) => sum + Buffer.byteLength(JSON.stringify(row[column])), 0);
