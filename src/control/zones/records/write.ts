/** Creating, changing and deleting one record. */

import { conflict } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import type { RecordBody } from "../model/record/schema.ts";
import { insert, readFields, update, type Written } from "./apply.ts";
import { type Confirmation, guardRecords } from "./guard.ts";
import { settleLinks } from "./links.ts";
import { lockPath, type RecordPath, recordNotFound } from "./path.ts";
import { putRecord } from "./put.ts";

export async function createRecord(ctx: Ctx, sent: RecordPath, body: RecordBody): Promise<Written> {
  const { path, scope, row, others, targets } = await lockPath(ctx, sent);
  if (row) throw conflict("record already exists", { zone: path.zone, domain: row.domain, type: row.type });
  return await settleRecord(ctx, await insert(scope, path, others, body), targets);
}

export async function changeRecord(ctx: Ctx, sent: RecordPath, body: RecordBody): Promise<Written> {
  const { path, scope, row, others, targets } = await lockPath(ctx, sent);
  if (!row) throw recordNotFound(path);
  const written = await update(scope, path.type, row, others, await readFields(scope, path.type, body, row));
  return await settleRecord(ctx, written, targets);
}

export async function removeRecord(ctx: Ctx, sent: RecordPath, confirmation: Confirmation): Promise<Written> {
  const { path, scope, row, targets } = await lockPath(ctx, sent, recordNotFound);
  if (!row) throw recordNotFound(path);
  await settleLinks(ctx, [{ before: row, after: undefined }], { targets, confirmation });
  await guardRecords(ctx, scope.zone, [row], confirmation);
  putRecord(ctx, { before: row, after: undefined });
  return { zone: scope.zone, before: row, row, changed: true };
}

/** Settles the links of one record that was inserted or updated. */
export async function settleRecord(ctx: Ctx, written: Written, targets: ReadonlySet<string>): Promise<Written> {
  const { before, row, changed } = written;
  if (changed) await settleLinks(ctx, [{ before, after: row }], { targets });
  return written;
}
