/** Creating, changing and deleting one record. */

import { conflict } from "../../../lib/problem.ts";
import type { Ctx } from "../../write/context.ts";
import { assertWritable } from "../model/record/rules.ts";
import type { RecordBody } from "../model/record/schema.ts";
import { insert, readFields, update, type Written } from "./apply.ts";
import { type Confirmation, guardRecords } from "./guard.ts";
import { settleLinks } from "./links.ts";
import { lockPlace, type Place, type RecordPath, readPlace, recordNotFound } from "./path.ts";
import { putRecord } from "./put.ts";

export async function createRecord(ctx: Ctx, path: RecordPath, body: RecordBody): Promise<Written> {
  const place = readWritable(ctx, path);
  const { site, row, others, targets } = await lockPlace(ctx, place);
  if (row) throw conflict("record already exists", { zone: place.zone, domain: row.domain, type: row.type });
  return await settled(ctx, await insert(site, place, others, body), targets);
}

export async function changeRecord(ctx: Ctx, path: RecordPath, body: RecordBody): Promise<Written> {
  const place = readWritable(ctx, path);
  const { site, row, targets } = await lockPlace(ctx, place);
  if (!row) throw recordNotFound(place);
  const written = await update(site, place.type, row, readFields(site, place.type, body, row));
  return await settled(ctx, written, targets);
}

export async function removeRecord(ctx: Ctx, path: RecordPath, confirmation: Confirmation): Promise<Written> {
  const place = readWritable(ctx, path);
  const { site, row, targets } = await lockPlace(ctx, place);
  if (!row) throw recordNotFound(place);
  await settleLinks(ctx, [{ before: row, after: undefined }], targets);
  await guardRecords(ctx, site.zone, 1, confirmation);
  putRecord(ctx, { before: row, after: undefined });
  return { zone: site.zone, before: row, row, changed: true };
}

/** Settles the links of one record that was inserted or updated. */
export async function settled(ctx: Ctx, written: Written, targets: ReadonlySet<string>): Promise<Written> {
  const { before, row, changed } = written;
  if (changed) await settleLinks(ctx, [{ before, after: row }], targets);
  return written;
}

export function readWritable(ctx: Ctx, path: RecordPath): Place {
  const place = readPlace(ctx, path);
  assertWritable(place.type);
  return place;
}
