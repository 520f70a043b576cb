/** Linked records: checks that targets exist and are not removed, and marks the zones whose answers change with a target. */

import { conflict, invalidField } from "../../../lib/problem.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { recordKey } from "../../../sync/net-difference.ts";
import { answeredWith } from "../../../sync/state.ts";
import { reachesRecord } from "../../access/access.ts";
import { assertReachesName } from "../../access/caller.ts";
import type { Right } from "../../access/rights.ts";
import type { Db } from "../../kit/store.ts";
import type { Ctx } from "../../write/context.ts";
import { findLinksTo, findZonesAbove, findZonesLinkedInto, findZonesLinkedTo } from "../model/record/link-store.ts";
import { type RecordName, recordsAt } from "../model/record/store.ts";
import type { WrittenRecord } from "./put.ts";

/**
 * Call once at the end of each write of records, when all written link targets are in the store.
 * Throws when a link has no target, or when a record that others are linked to is removed. `targets` are the names to
 * which records are linked; when left out, that may be any of the written names.
 */
export async function settleLinks(
  ctx: Ctx,
  written: readonly WrittenRecord[],
  targets?: ReadonlySet<string>,
): Promise<void> {
  const changed = written.filter(({ before, after }) => before !== after);
  const links = changed.flatMap(({ before, after }) => (after && isNewLink(before, after) ? after : []));
  if (links.length > 0) await assertTargets(ctx, links);
  const possibleTargets = changed.filter(({ before, after }) => !targets || targets.has((before ?? after)!.domain));
  if (possibleTargets.length === 0) return;
  const gone = possibleTargets.flatMap(({ before, after }) =>
    !after ? before! : isNewLink(before, after) ? after : [],
  );
  if (gone.length > 0) await assertNotTargets(ctx, gone);
  const { db, account_id } = ctx;
  const named = possibleTargets.map(({ before, after }) => (before ?? after)!);
  for (const id of await findZonesLinkedTo(db, account_id, named)) ctx.changes.touch(id);
}

/** Marks the zones that secondaries transfer and whose records are linked into this zone; for a change that affects all records of this zone. */
export async function touchLinksInto({ db, account_id, changes }: Ctx, zone: string): Promise<void> {
  for (const id of await findZonesLinkedInto(db, account_id, zone)) changes.touch(id);
}

const right = "dns.manage_zones";

const isNewLink = (before: RecordRow | undefined, { link }: RecordRow) =>
  link !== null && link !== (before?.link ?? null);

/** Throws unless all targets exist. Locks them: until this transaction ends, they are neither deleted nor linked. */
async function assertTargets(ctx: Ctx, links: readonly RecordRow[]): Promise<void> {
  const { db, account_id, names, caller } = ctx;
  const zoneOf = await findZonesAbove(
    db,
    account_id,
    links.map(({ link }) => link!),
  );
  for (const record of links) {
    const { link, type } = record;
    const zone = zoneOf(link!);
    assertReachesName(caller, right, { zone: zone?.zone, domain: link!, type });
    if (!zone) throw refused(record, `no zone of this account contains ${link}`);
    if (zone.hidden) throw refused(record, `${link} is in ${zone.zone}, which is a catalog`);
    if (zone.link !== null) throw refused(record, `${link} is in ${zone.zone}, which is linked to ${zone.link}`);
  }
  const byZone = Map.groupBy(links, ({ link }) => zoneOf(link!)!.zone);
  for (const [zone, records] of [...byZone].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const found = await names.hold(account_id, zone, [...new Set(records.map(({ link }) => link!))]);
    for (const record of records) assertTarget(record, found?.records ?? []);
  }
}

/**
 * The records as they are served: a linked record has the answers of its target. Left out are linked records whose
 * target is not served, or may not be seen by the caller with this right.
 */
export async function answeredRecords<T extends Listed>(
  { db, account_id, caller: { access } }: Ctx,
  right: Right,
  records: readonly T[],
): Promise<ReadonlyMap<T, T | RecordRow>> {
  const links = records.flatMap(({ link, type }) => (link === null ? [] : { domain: link, type }));
  const targets = await findTargets(db, account_id, links);
  const answered = new Map<T, T | RecordRow>();
  for (const one of records) {
    const { link, type } = one;
    const target = link === null ? undefined : targets.get(recordKey({ domain: link, type }));
    if (link === null) answered.set(one, one);
    else if (target && isAnswered(target) && reachesRecord(access, right, target.zone.zone, link, type)) {
      answered.set(one, answeredWith(one, target.record));
    }
  }
  return answered;
}

type Listed = Pick<RecordRow, "domain" | "type" | "ttl" | "link" | "override_ttl">;

const isAnswered = ({ zone, record }: LinkTarget) => !zone.disabled && !zone.expired && record.link === null;

/** A record that other records are linked to, and its zone. */
export interface LinkTarget {
  readonly zone: ZoneRow;
  readonly record: RecordRow;
}

/** The existing records of these names and types, each with the zone that contains its name. */
export async function findTargets(
  db: Db,
  account_id: string,
  links: readonly RecordName[],
): Promise<ReadonlyMap<string, LinkTarget>> {
  const found = new Map<string, LinkTarget>();
  if (links.length === 0) return found;
  const zoneOf = await findZonesAbove(
    db,
    account_id,
    links.map(({ domain }) => domain),
  );
  for (const [zone, names] of Map.groupBy(links, ({ domain }) => zoneOf(domain))) {
    if (!zone) continue;
    const domains = names.map(({ domain }) => domain);
    for (const record of await recordsAt(db, zone, domains)) found.set(recordKey(record), { zone, record });
  }
  return found;
}

function assertTarget(record: RecordRow, rows: readonly RecordRow[]): void {
  const { domain, type, link } = record;
  if (link === domain) throw refused(record, "a record cannot be linked to itself");
  const target = rows.find((row) => row.domain === link && row.type === type);
  if (!target) throw refused(record, `there is no record ${link} ${type}`);
  // prevents loops, and limits each look-up to one step
  if (target.link !== null) throw refused(record, `${link} ${type} is itself linked to ${target.link}`);
}

const refused = ({ link, domain, type }: RecordRow, reason: string) =>
  invalidField("link", `${reason}`, { link, domain, type });

/** Throws if other records are linked to these. Records that the caller may not see are not named. */
async function assertNotTargets({ db, account_id, caller }: Ctx, gone: readonly RecordRow[]): Promise<void> {
  const shown = 10;
  const links = await findLinksTo(db, account_id, gone, shown);
  const [first] = links;
  if (!first) return;
  const { link, type } = first;
  const open = links.filter(({ zone, domain }) => reachesRecord(caller.access, "dns.manage_zones", zone, domain, type));
  const what = open[0] ? `${open[0].domain} ${type}` : "a record that you do not have access to";
  const isGone = gone.some((row) => row.domain === link && row.type === type && row.link === null);
  const message = isGone
    ? `${what} is linked to ${link} ${type}; delete the linked records first`
    : `${link} ${type} cannot be linked, because ${what} is linked to it`;
  const names = open.map(({ domain }) => domain);
  throw conflict(message, { domain: link, type, links: names });
}
