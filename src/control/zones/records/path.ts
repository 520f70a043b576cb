/** Record paths in canonical spelling, and locking of the records at a path. */
import type { RecordType } from "../../../dns/rdata/record-type.ts";
import { invalid, missing, type Problem } from "../../../lib/problem.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import { FeedLocks } from "../../feeds/bindings.ts";
import type { Ctx } from "../../write/context.ts";
import type { RecordZone } from "../../write/lock-store.ts";
import type { LockedRecords } from "../../write/locks.ts";
import { assertWritable, readDomain, readType } from "../model/record/rules.ts";
import { zoneName } from "../model/zone/fields.ts";
import { assertNotLinked } from "../model/zone/link.ts";
import type { WriteScope } from "./apply.ts";

/** A record path as sent. */
export interface RecordPath {
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
}

/** A record path, checked and in canonical spelling. */
export interface CheckedPath {
  readonly zone: string;
  readonly domain: string;
  readonly type: RecordType;
}

export function readPath({ settings }: Ctx, sent: RecordPath): CheckedPath {
  const zone = zoneName(sent.zone, settings.edition);
  return { zone, domain: readDomain(sent.domain, zone), type: readType(sent.type) };
}

/** The path of a record that clients may write. */
export function readWritable(ctx: Ctx, sent: RecordPath): CheckedPath {
  const path = readPath(ctx, sent);
  assertWritable(path.type);
  return path;
}

/** Locks names of a zone until the transaction ends, and reads the records there. */
export async function lockDomains(
  ctx: Ctx,
  zone: string,
  domains: readonly string[],
  absent = () => missing("zone not found", { zone }),
): Promise<LockedRecords> {
  const found = await ctx.names.lock(ctx.account_id, zone, domains);
  if (!found) throw absent();
  assertOwnRecords(found.zone);
  return found;
}

/** Throws for a zone whose records are those of a primary, of a catalog's members or of another zone. */
export function assertOwnRecords(found: Pick<RecordZone, "zone" | "link" | "refresh_at" | "hidden">): void {
  const { zone, refresh_at, hidden } = found;
  if (refresh_at != null) throw invalid(`the zone ${zone} is secondary; its records come from its primary`, { zone });
  if (hidden) throw invalid(`the zone ${zone} is a catalog; its records follow from its members`, { zone });
  assertNotLinked(found);
}

/** A locked path with the record there. */
export interface LockedPath {
  readonly path: CheckedPath;
  readonly scope: WriteScope;
  readonly row: RecordRow | undefined;
  /** The other records at the name. */
  readonly others: readonly RecordRow[];
  /** Names to which records are linked. */
  readonly targets: ReadonlySet<string>;
}

/** `absent` makes the error for a missing zone; by default the zone is what is not found. */
export async function lockPath(
  ctx: Ctx,
  sent: RecordPath,
  absent?: (path: CheckedPath) => Problem,
): Promise<LockedPath> {
  const path = readWritable(ctx, sent);
  const { zone, records, targets } = await lockDomains(ctx, path.zone, [path.domain], absent && (() => absent(path)));
  const row = records.find(({ type }) => type === path.type.name);
  const others = records.filter((record) => record !== row);
  return { path, scope: { ctx, zone, feeds: new FeedLocks(ctx) }, row, others, targets };
}

export const recordNotFound = ({ zone, domain, type }: CheckedPath) =>
  missing("record not found", { zone, domain, type: type.name });
