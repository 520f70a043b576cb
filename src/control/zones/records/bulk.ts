/** Many records of one zone written in one revision, all or nothing. */

import { LongWork } from "../../../lib/fair/yield.ts";
import type { Attempt } from "../../../lib/problem.ts";
import { attemptAt, conflict, invalid } from "../../../lib/problem.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import { assertPermitted } from "../../access/caller.ts";
import { FeedLocks } from "../../feeds/bindings.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import type { RecordZone } from "../../write/lock-store.ts";
import { type NamedRecordBody, RecordBody } from "../model/record/schema.ts";
import type { RecordName } from "../model/record/store.ts";
import { zoneName } from "../model/zone/fields.ts";
import { insert, readFields, update, type WriteScope, type Written } from "./apply.ts";
import { type Confirmation, guardRecords } from "./guard.ts";
import { settleLinks } from "./links.ts";
import { type CheckedPath, lockDomains, readWritable, recordNotFound } from "./path.ts";
import { putRecord, type WrittenRecord } from "./put.ts";

export interface Bulk {
  /** Records to create, or to replace as a whole. */
  readonly put: readonly NamedRecordBody[];
  readonly remove: readonly RecordName[];
}

/** One of many writes: `put` creates a record or replaces it as a whole; `update` keeps omitted fields. */
export interface RecordWrite {
  readonly action: "create" | "update" | "put" | "delete";
  readonly path: CheckedPath;
  readonly body: RecordBody;
  readonly attempt: Attempt;
}

export interface BulkWritten {
  readonly zone: RecordZone;
  readonly put: readonly Written[];
  readonly removed: readonly RecordRow[];
  /** Names in the zone to which records are linked. */
  readonly targets: ReadonlySet<string>;
}

const rowsAtOnce = 100;

export async function writeMany(
  ctx: Ctx,
  zone: string,
  { put, remove }: Bulk,
  confirmation: Confirmation,
): Promise<BulkWritten> {
  const count = put.length + remove.length;
  if (count > limits.bulkRecords) {
    throw invalid(`put and remove: at most ${limits.bulkRecords} records per call, not ${count}`, {
      limit: limits.bulkRecords,
    });
  }
  const writes = [
    ...remove.map((named, i) => recordWrite(ctx, zone, "delete", named, `remove[${i}]`)),
    ...put.map((named, i) => recordWrite(ctx, zone, "put", named, `put[${i}]`)),
  ];
  if (writes.length === 0) throw invalid("put and remove are both empty");
  const written = await writeRecords(ctx, zoneName(zone, ctx.settings.edition), writes, confirmation);
  ctx.flush();
  await settleLinks(ctx, writtenBy(written), { targets: written.targets, confirmation });
  return written;
}

/** Each record before and after a bulk write. */
export const writtenBy = ({ put, removed }: BulkWritten): WrittenRecord[] => [
  ...removed.map((before) => ({ before, after: undefined })),
  ...put.map(({ before, row, changed }) => ({ before, after: changed ? row : before })),
];

/** Prepares a write. Throws unless the caller may do it. */
export function recordWrite(
  ctx: Ctx,
  zone: string,
  action: RecordWrite["action"],
  named: RecordName & RecordBody,
  field: string,
): RecordWrite {
  const { domain, type } = named;
  const attempt = attemptAt(field, `${domain} ${type}`, { domain, type });
  return { action, path: attempt(() => permitted(ctx, zone, named)), body: named, attempt };
}

/** Writes records; the caller settles their links afterwards. Removals come first, so that a name can change its type. */
export async function writeRecords(
  ctx: Ctx,
  name: string,
  writes: readonly RecordWrite[],
  confirmation: Confirmation,
): Promise<BulkWritten> {
  assertOnce(writes.map(({ path }) => path));
  const { zone, records, targets } = await lockDomains(ctx, name, [...new Set(writes.map(({ path }) => path.domain))]);
  const scope: WriteScope = { ctx, zone, feeds: new FeedLocks(ctx) };
  await scope.feeds.lockAll(writes.map(({ body }) => body));
  const names = new Names(records);
  const gone = writes.filter(({ action }) => action === "delete");
  const rows = gone.flatMap(({ path }) => names.find(path) ?? []);
  await guardRecords(ctx, zone, rows, confirmation);
  const removed = gone.map((write) => removeOne(scope, write, names));
  const put: Written[] = [];
  const work = new LongWork();
  for (const write of writes) {
    if (write.action === "delete") continue;
    await work.giveWay();
    const one = await write.attempt(() => writeOne(scope, write, names));
    names.set(one.row);
    // many rows in one statement would be composed at once
    if (put.push(one) % rowsAtOnce === 0) ctx.flush();
  }
  return { zone, put, removed, targets };
}

const removeOne = (scope: WriteScope, { path, attempt }: RecordWrite, names: Names) =>
  attempt(() => {
    const row = names.find(path);
    if (!row) throw recordNotFound(path);
    putRecord(scope.ctx, { before: row, after: undefined });
    names.delete(row);
    return row;
  });

async function writeOne(scope: WriteScope, { action, path, body }: RecordWrite, names: Names): Promise<Written> {
  const before = names.find(path);
  if (before && action === "create") throw conflict("record already exists", { type: before.type });
  if (!before && action === "update") throw recordNotFound(path);
  const fields = action === "put" ? { ...unset, ...body } : body;
  return before
    ? await update(scope, path.type, before, names.others(path), await readFields(scope, path.type, fields, before))
    : await insert(scope, path, names.others(path), fields);
}

/** Resets the fields that a replacing record omits to their defaults. */
const unset: RecordBody = Object.fromEntries(Object.keys(RecordBody.properties).map((name) => [name, null]));

function permitted(ctx: Ctx, zone: string, { domain, type }: RecordName): CheckedPath {
  const path = readWritable(ctx, { zone, domain, type });
  assertPermitted(ctx.caller, "dns.manage_zones", { zone: path.zone, domain: path.domain, type: path.type.name });
  return path;
}

function assertOnce(paths: readonly CheckedPath[]): void {
  const seen = new Set<string>();
  for (const { domain, type } of paths) {
    const name = `${domain} ${type.name}`;
    if (seen.has(name)) throw invalid(`the record ${name} is named twice`, { domain, type: type.name });
    seen.add(name);
  }
}

/** The records at the names concerned, updated as the write proceeds. */
class Names {
  readonly #records = new Map<string, Map<string, RecordRow>>();

  constructor(rows: readonly RecordRow[]) {
    for (const row of rows) this.set(row);
  }

  find({ domain, type }: CheckedPath): RecordRow | undefined {
    return this.#records.get(domain)?.get(type.name);
  }

  /** The records at the name but this one. */
  others({ domain, type }: CheckedPath): RecordRow[] {
    return [...(this.#records.get(domain)?.values() ?? [])].filter((row) => row.type !== type.name);
  }

  set(row: RecordRow): void {
    const at = this.#records.get(row.domain) ?? new Map<string, RecordRow>();
    this.#records.set(row.domain, at.set(row.type, row));
  }

  delete({ domain, type }: RecordRow): void {
    this.#records.get(domain)?.delete(type);
  }
}
