/**
 * Creating, changing and deleting an account's allow lists. Callers cannot lock themselves out, nor admit addresses
 * outside their own allow lists.
 */
import { isDeepStrictEqual } from "node:util";
import { newId } from "../../../lib/ids.ts";
import { denied, invalid } from "../../../lib/problem.ts";
import { assertAllowList, isListed, isWithin } from "../../access/allowlist.ts";
import { assertLasting, assertStillOpen } from "../../access/lifetime.ts";
import { isNoWider } from "../../access/standing.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import { deleteRow, getRow, listRows } from "../members/rows-store.ts";
import type { AllowListBody } from "./routes.ts";
import { type AllowListRow, insertAllowList, updateAllowList } from "./store.ts";

export async function createAllowList(ctx: Ctx, body: AllowListBody): Promise<AllowListRow> {
  const { db, account_id } = ctx;
  const row = withBody({ account_id, id: newId(), name: "", values: [] }, body);
  const others = await listRows(db, "allow_list", account_id);
  if (others.length >= limits.allowLists) throw invalid(`an account can have at most ${limits.allowLists} allow lists`);
  assertAllowed(ctx, others, [...others, row]);
  await insertAllowList(db, row);
  ctx.afterCommit("callers");
  return row;
}

export async function changeAllowList(
  ctx: Ctx,
  id: string,
  body: AllowListBody,
): Promise<{ before: AllowListRow; row: AllowListRow; changed: boolean }> {
  const { db } = ctx;
  const before = await getAllowList(ctx, id);
  const row = withBody(before, body);
  if (isDeepStrictEqual(row, before)) return { before, row, changed: false };
  const rest = await others(ctx, id);
  assertAllowed(ctx, [...rest, before], [...rest, row]);
  await updateAllowList(db, row);
  ctx.afterCommit("callers");
  return { before, row, changed: true };
}

export async function removeAllowList(ctx: Ctx, id: string): Promise<AllowListRow> {
  const { db } = ctx;
  const row = await getAllowList(ctx, id);
  const rest = await others(ctx, id);
  assertAllowed(ctx, [...rest, row], rest);
  await deleteRow(db, "allow_list", row);
  ctx.afterCommit("callers");
  return row;
}

export const getAllowList = ({ db, account_id }: Ctx, id: string): Promise<AllowListRow> =>
  getRow(db, "allow_list", { account_id, id }, "whitelist not found");

const others = async ({ db, account_id }: Ctx, id: string) =>
  (await listRows(db, "allow_list", account_id)).filter((list) => list.id !== id);

function withBody(before: AllowListRow, body: AllowListBody): AllowListRow {
  const name = body.name ?? before.name;
  const { length } = [...name];
  if (length < 1 || length > 255) throw invalid("name must have 1 to 255 characters", { field: "name" });
  const values = body.values === undefined ? before.values : (body.values ?? []);
  assertAllowList(values, "values");
  return { ...before, name, values };
}

/** The lists apply together, so they are checked together. */
function assertAllowed(ctx: Ctx, before: readonly AllowListRow[], after: readonly AllowListRow[]): void {
  const [old, values] = [valuesOf(before), valuesOf(after)];
  assertNotLockedOut(ctx, values);
  assertAdmitsNoMore(ctx, old, values);
  assertStillOpen(ctx.caller, !isWithin(reachOf(old), reachOf(values)));
}

const valuesOf = (lists: readonly AllowListRow[]) => lists.flatMap((list) => list.values);

const everywhere = ["0.0.0.0/0", "::/0"];

/** Lists without any value restrict nothing. */
const reachOf = (values: readonly string[]) => (values.length === 0 ? everywhere : values);

/**
 * A caller with an allow list cannot admit addresses outside it; a caller whose credential expires cannot admit any.
 */
function assertAdmitsNoMore({ caller }: Ctx, before: readonly string[], after: readonly string[]): void {
  const outer = reachOf(before);
  const allowed = reachOf(after).filter((value) => !isWithin([value], outer));
  if (allowed.length === 0) return;
  if (!isNoWider(caller, { access: [], allowed, allowedOfTeams: [] })) {
    const message = "your own allow list restricts you: you cannot add addresses outside it to the account's lists";
    throw denied(message, { field: "values" });
  }
  assertLasting(caller);
}

function assertNotLockedOut({ sender }: Ctx, values: readonly string[]): void {
  if (values.length > limits.allowListEntries) {
    throw invalid(`values: the account's lists can have at most ${limits.allowListEntries} entries together`, {
      field: "values",
    });
  }
  const address = sender?.address;
  if (values.length === 0 || address === undefined || isListed(values, address)) return;
  const message = `the account's lists must include ${address}, your current address; otherwise you would lock yourself out`;
  throw invalid(message, { field: "values", address });
}
