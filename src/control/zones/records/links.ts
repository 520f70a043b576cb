/** Linked records: checks that the caller may read targets, and marks the zones whose answers change with a target. */

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
import { namesUnused } from "../../write/lock-store.ts";
import {
  findLinksTo,
  findZonesAbove,
  findZonesLinkedInto,
  findZonesLinkedTo,
  type LinkRow,
} from "../model/record/link-store.ts";
import { type RecordName, recordsAt } from "../model/record/store.ts";
import { type Confirmation, mustConfirm } from "./guard.ts";
import type { WrittenRecord } from "./put.ts";

interface Settling {
  /** The names to which records are linked; when left out, that may be any of the written names. */
  readonly targets?: ReadonlySet<string> | undefined;
  readonly confirmation?: Confirmation;
}

/**
 * Call once at the end of each write of records, when the written records are in the store. A target may be missing, or
 * linked itself: the link then answers nothing. Throws when the caller may not read the target of a new link, and for an
 * unconfirmed removal of a target in a session.
 */
export async function settleLinks(
  ctx: Ctx,
  written: readonly WrittenRecord[],
  { targets, confirmation = {} }: Settling = {},
): Promise<void> {
  const changed = written.filter(({ before, after }) => before !== after);
  const links = changed.flatMap(({ before, after }) => (after && isNewLink(before, after) ? after : []));
  if (links.length > 0) await holdTargets(ctx, links);
  const possibleTargets = changed.filter(({ before, after }) => !targets || targets.has((before ?? after)!.domain));
  if (possibleTargets.length === 0) return;
  const gone = possibleTargets.flatMap(({ before, after }) => (after ? [] : before!));
  if (gone.length > 0 && mustConfirm(ctx, confirmation)) await assertNotTargets(ctx, gone);
  const { db, account_id } = ctx;
  const named = possibleTargets.map(({ before, after }) => (before ?? after)!);
  for (const id of await findZonesLinkedTo(db, account_id, named)) ctx.changes.touch(id);
}

/** Marks the zones that secondaries transfer and whose records are linked into this zone; for a change that affects all records of this zone. */
export async function touchLinksInto({ db, account_id, changes }: Ctx, zone: string): Promise<void> {
  for (const id of await findZonesLinkedInto(db, account_id, zone)) changes.touch(id);
}

const isNewLink = (before: RecordRow | undefined, { link }: RecordRow) =>
  link !== null && link !== (before?.link ?? null);

/** Throws unless the caller may read the targets of these linked records, whether they exist or not. Returns the function that gives the zone of a target. */
export async function assertLinksReadable(ctx: Ctx, links: readonly RecordRow[]) {
  const targets = links.map(({ link }) => link!);
  const zoneOf = await findZonesAbove(ctx.db, ctx.account_id, targets);
  for (const record of links) assertLinkable(ctx, record, zoneOf(record.link!)?.zone);
  return zoneOf;
}

/**
 * Throws unless the caller may read all targets. Locks their names: a target that is written at the same time sees the
 * link, or is seen by it.
 */
async function holdTargets(ctx: Ctx, links: readonly RecordRow[]): Promise<void> {
  const { account_id, names } = ctx;
  const zoneOf = await assertLinksReadable(ctx, links);
  const own = links.filter(({ link }) => zoneOf(link!)?.link === null);
  const byZone = Map.groupBy(own, ({ link }) => zoneOf(link!)!.zone);
  for (const [zone, records] of [...byZone].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const domains = [...new Set(records.map(({ link }) => link!))];
    const found = await names.hold(account_id, zone, domains);
    const there = new Set(found?.records.map(({ domain }) => domain));
    for (const domain of domains) if (!there.has(domain)) ctx.send(namesUnused, { account_id, zone, domain });
  }
}

function assertLinkable({ caller }: Ctx, { domain, type, link }: RecordRow, zone: string | undefined): void {
  if (link === domain) throw invalidField("link", "a record cannot be linked to itself", { link, domain, type });
  assertReachesName(caller, "dns.view_zones", { zone, domain: link!, type });
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

const isAnswered = ({ zone, record }: LinkTarget) =>
  !zone.disabled && !zone.expired && !zone.hidden && record.link === null;

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

/** Throws if other records are linked to these. Records that the caller may not see are not named. */
async function assertNotTargets(ctx: Ctx, gone: readonly RecordRow[]): Promise<void> {
  const shown = 10;
  const links = await findLinksTo(ctx.db, ctx.account_id, gone, shown);
  if (links[0]) throw targetOf(ctx, links);
}

/** The refusal to remove a target without a confirmation. */
export function targetOf({ caller }: Ctx, links: readonly LinkRow[]) {
  const { link, type } = links[0]!;
  const open = links.filter((row) => reachesRecord(caller.access, "dns.view_zones", row.zone, row.domain, row.type));
  const what = open[0] ? `${open[0].domain} ${open[0].type}` : "a record that you do not have access to";
  const message = `${what} is linked to ${link} ${type} and loses its answers; to confirm, send confirm_deletions=true`;
  const names = open.map(({ domain }) => domain);
  return conflict(message, { domain: link, type, links: names, confirm: "confirm_deletions=true" }, 409);
}
