/** Creating, changing and deleting one record. */
import { conflict } from "../../lib/problem.ts";
import type { Ctx } from "../context.ts";
import { type Confirmation, guardRecords } from "../guard.ts";
import { insert, readFields, remove, update, type Written } from "./apply.ts";
import { lockPlace, type Place, type RecordPath, readPlace, recordNotFound } from "./place.ts";
import { assertWritable } from "./rules.ts";
import type { RecordBody } from "./schema.ts";

export async function createRecord(ctx: Ctx, path: RecordPath, body: RecordBody): Promise<Written> {
  const place = readWritable(ctx, path);
  const { site, row, others } = await lockPlace(ctx, place);
  if (row) throw conflict("record already exists", { zone: place.zone, domain: row.domain, type: row.type });
  return await insert(site, place, others, body);
}

export async function changeRecord(ctx: Ctx, path: RecordPath, body: RecordBody): Promise<Written> {
  const place = readWritable(ctx, path);
  const { site, row } = await lockPlace(ctx, place);
  if (!row) throw recordNotFound(place);
  return await update(site, place.type, row, readFields(site, place.type, body, row));
}

export async function removeRecord(ctx: Ctx, path: RecordPath, confirmation: Confirmation): Promise<Written> {
  const place = readWritable(ctx, path);
  const { site, row } = await lockPlace(ctx, place);
  if (!row) throw recordNotFound(place);
  await guardRecords(ctx, site.zone, 1, confirmation);
  remove(site, row);
  return { zone: site.zone, row, changed: true };
}

export function readWritable(ctx: Ctx, path: RecordPath): Place {
  const place = readPlace(ctx, path);
  assertWritable(place.type);
  return place;
}
