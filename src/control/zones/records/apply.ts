/** One step of a write: a record inserted or updated, with its change and history. */

import type { RecordType } from "../../../dns/rdata/record-type.ts";
import { newId } from "../../../lib/ids.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import { bindFeeds, type FeedLocks } from "../../feeds/bindings.ts";
import type { Ctx } from "../../write/context.ts";
import type { RecordZone } from "../../write/lock-store.ts";
import { assertRoomAtName, fieldsOf, type RecordFields, readRecord, sameFields } from "../model/record/fields.ts";
import { assertCompatible } from "../model/record/rules.ts";
import type { RecordBody } from "../model/record/schema.ts";
import { assertTagsPermitted, inheritedFrom } from "../model/record/tags.ts";
import { assertAliasTargets } from "./alias.ts";
import type { CheckedPath } from "./path.ts";
import { putRecord } from "./put.ts";

export interface Written {
  readonly zone: RecordZone;
  /** The record before the write. */
  readonly before: RecordRow | undefined;
  readonly row: RecordRow;
  readonly changed: boolean;
}

/** The context of a write: its zone, and locks on feeds. */
export interface WriteScope {
  readonly ctx: Ctx;
  readonly zone: RecordZone;
  readonly feeds: FeedLocks;
}

/** The fields of a record after a body, in a zone. */
export const readFields = (
  { ctx: { settings }, zone }: WriteScope,
  type: RecordType,
  body: RecordBody,
  before?: RecordFields,
): Promise<RecordFields> => {
  const { edition } = settings;
  return readRecord(type, body, before, { edition, nx_ttl: zone.nx_ttl, inherited: inheritedFrom(edition, zone) });
};

/** Inserts a record. `others` are the records that exist at the name. */
export async function insert(
  scope: WriteScope,
  path: CheckedPath,
  others: readonly RecordRow[],
  body: RecordBody,
): Promise<Written> {
  const { ctx, zone } = scope;
  const { domain, type } = path;
  const types = others.map((other) => other.type);
  assertCompatible(type, domain, zone.zone, types);
  const fields = await readFields(scope, type, body);
  assertRoomAtName(fields, others);
  assertTagsPermitted(ctx, { ...path, type: type.name }, undefined, fields);
  await assertAliasTargets(ctx, type, fields.answers, []);
  const feeds = await bindFeeds(scope.feeds, fields, undefined);
  const { account_id, now } = ctx;
  const own = { account_id, zone_id: zone.id, domain, type: type.name, id: newId() };
  const row: RecordRow = { ...own, ...fields, feeds, created_at: now, updated_at: now };
  putRecord(ctx, { before: undefined, after: row });
  return { zone, before: undefined, row, changed: true };
}

/** Updates a record, unless its fields are unchanged. `others` are the other records at the name. */
export async function update(
  { ctx, zone, feeds: locks }: WriteScope,
  type: RecordType,
  before: RecordRow,
  others: readonly RecordRow[],
  fields: RecordFields,
): Promise<Written> {
  if (sameFields(fields, fieldsOf(before))) return { zone, before, row: before, changed: false };
  assertRoomAtName(fields, others);
  const target = { zone: zone.zone, domain: before.domain, type: type.name };
  assertTagsPermitted(ctx, target, before, fields);
  await assertAliasTargets(ctx, type, fields.answers, before.answers);
  const feeds = await bindFeeds(locks, fields, before);
  const row: RecordRow = { ...before, ...fields, feeds, updated_at: ctx.now };
  putRecord(ctx, { before, after: row });
  return { zone, before, row, changed: true };
}
