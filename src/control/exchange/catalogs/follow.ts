/** Makes, changes and removes the zones of an account as a catalog of another server lists them, and saves the outcome. */
import { isDeepStrictEqual } from "node:util";
import { seconds } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { Problem } from "../../../lib/problem.ts";
import { holdLease, type Lease } from "../../../storage/lease.ts";
import type { CatalogState } from "../../../storage/tables/transfers.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { zoneKeyContext } from "../../../sync/peers.ts";
import { type Db, inSnapshot } from "../../kit/store.ts";
import type { Ctx, WriteOptions } from "../../write/context.ts";
import { writeAs } from "../../write/system.ts";
import { claimFollowing, listMembers, lockFollowed, saveFollowing } from "../../zones/catalogs/store.ts";
import { pagesOf } from "../../zones/model/record/store.ts";
import { zoneOnly } from "../../zones/model/zone/present.ts";
import { findZoneById } from "../../zones/model/zone/store.ts";
import { changeMember, makeMember, removeMember, renewMember } from "./members.ts";
import { heldBy, type MadeZone, type Plan, planFor } from "./plan.ts";
import { BrokenCatalog, type CatalogRecord, CatalogRecords, type ListedZone, readMembers } from "./read.ts";

export interface FollowOptions {
  readonly service: WriteOptions;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Proves that this process is the one that follows catalogs. */
  readonly lease: Lease;
}

/** Seconds until skipped zones are tried again (more if there are many), or a turn that a killed process had begun. */
const againAfter = 60;
const pageRows = 500;
const mostSkipped = 100;
const nothing: CatalogState = { members: 0, serial: -1, error: null, skipped: [], held: null, followed_at: 0 };

export async function follow(options: FollowOptions, due: ZoneRow): Promise<void> {
  const { service, log } = options;
  const { db } = service.store;
  const claimed = seconds(service.clock) + againAfter;
  const begun: CatalogState = { ...nothing, ...due.catalog_state, ...followedBy(due) };
  // requests before this point are covered by the read below; later requests are noticed when the turn is saved
  await claimFollowing(db, due, claimed, begun);
  try {
    const read = await inSnapshot(db, (snapshot) => readCatalogZone(snapshot, due));
    // nothing was transferred yet, or the catalog has expired
    if (!read || read.catalog.expired) return;
    const { catalog, records, members } = read;
    const before: CatalogState = { ...nothing, ...catalog.catalog_state, serial: catalog.serial };
    const listed = readMembers(catalog.zone, records, service.settings);
    await followListed(options, { catalog, before, claimed }, listed, members);
  } catch (error) {
    if (!(error instanceof BrokenCatalog)) throw error;
    log.warn({ zone: due.zone, reason: error.message }, "a catalog is broken; its zones are left unchanged");
    await saveFollowing(db, due, claimed, null, { ...begun, error: error.message }, undefined);
  }
}

/** Before the first transfer the serial is our own and is unrelated to the primary's. */
const followedBy = ({ expired, serial }: ZoneRow) => (expired ? {} : { serial });

interface Turn {
  readonly catalog: ZoneRow;
  readonly before: CatalogState;
  readonly claimed: number;
}

async function followListed(
  options: FollowOptions,
  { catalog, before, claimed }: Turn,
  listed: readonly ListedZone[],
  members: readonly ZoneRow[],
): Promise<void> {
  const { service, log } = options;
  const { memory, settings, clock, store } = service;
  const made = members.flatMap((row) => madeZone(service, catalog, row));
  const plan = planFor(listed, made);
  const confirmed = catalog.catalog?.role === "consumer" ? catalog.catalog.confirmed : undefined;
  const guard = {
    share: settings.deletionGuard.share,
    recent: memory.deletions.count(catalog.id),
    before: before.held,
    confirmed,
  };
  const held = heldBy(plan, made.length, guard);
  if (held && held.digest !== before.held?.digest) {
    const { count, zones } = held;
    log.warn(
      { zone: catalog.zone, count, zones: zones.slice(0, 10) },
      "a catalog removes many zones; the removals must be confirmed",
    );
  }
  const skipped = await carryOut(options, catalog, held ? { ...plan, renew: [], remove: [] } : plan);
  // the next turn, in this process or another, continues
  if (options.signal.aborted) return;
  if (skipped.length > 0) log.info({ zone: catalog.zone, skipped: skipped.length }, "zones of a catalog were skipped");
  const followed_at = seconds(clock);
  const state = {
    ...before,
    members: listed.length,
    error: null,
    skipped: skipped.slice(0, mostSkipped),
    held,
    followed_at,
  };
  const next = skipped.length > 0 ? followed_at + againAfter * Math.ceil(skipped.length / mostSkipped) : null;
  await saveFollowing(store.db, catalog, claimed, next, state, held ? undefined : confirmed);
}

/** Returns the zones that were skipped, with the reasons. */
async function carryOut(options: FollowOptions, catalog: ZoneRow, plan: Plan): Promise<CatalogState["skipped"]> {
  const { deletions } = options.service.memory;
  const skipped: { zone: string; reason: string }[] = [];
  const act = async (
    action: string,
    zone: string,
    step: (ctx: Ctx) => Promise<ZoneRow | undefined>,
    done?: () => void,
  ) => {
    if (options.signal.aborted) return;
    try {
      await actFor(options, catalog, action, step);
      done?.();
    } catch (error) {
      if (!(error instanceof Problem) || error.code === "unavailable") throw error;
      skipped.push({ zone, reason: error.message });
    }
  };
  const lost = () => deletions.note(catalog.id, 1);
  const grown = () => deletions.note(catalog.id, -1);
  for (const zone of plan.remove) await act("delete", zone, (ctx) => removeMember(ctx, zone), lost);
  for (const each of plan.renew) await act("reset", each.zone, (ctx) => renewMember(ctx, catalog, each), lost);
  for (const each of plan.change) await act("update", each.zone, (ctx) => changeMember(ctx, catalog, each));
  for (const each of plan.make) await act("create", each.zone, (ctx) => makeMember(ctx, catalog, each), grown);
  return skipped;
}

function actFor(
  { service, lease }: FollowOptions,
  catalog: ZoneRow,
  action: string,
  step: (ctx: Ctx) => Promise<ZoneRow | undefined>,
): Promise<void> {
  const { account_id, zone } = catalog;
  const who = { account_id, id: "catalog", name: `catalog ${zone}` };
  return writeAs(service, who, { log: ["dns_zone", action] }, async (ctx) => {
    if (!(await holdLease(ctx.db, lease))) throw new Error("another process follows catalogs now");
    if (!(await lockFollowed(ctx.db, catalog))) return undefined;
    const row = await step(ctx);
    return row && zoneOnly(ctx, row);
  });
}

interface CatalogZone {
  readonly catalog: ZoneRow;
  readonly records: readonly CatalogRecord[];
  readonly members: readonly ZoneRow[];
}

async function readCatalogZone(db: Db, { account_id, id }: ZoneRow): Promise<CatalogZone | undefined> {
  const catalog = await findZoneById(db, account_id, id);
  if (catalog?.catalog?.role !== "consumer") return undefined;
  const records = new CatalogRecords();
  for await (const rows of pagesOf(db, catalog, pageRows)) for (const row of rows) records.add(row);
  return { catalog, records: records.kept, members: await listMembers(db, catalog) };
}

function madeZone({ secrets }: WriteOptions, catalog: ZoneRow, row: ZoneRow): MadeZone[] {
  if (row.catalog?.role !== "consumed") return [];
  const { node, groups, coo } = row.catalog;
  const keyOf = ({ id, secondary_key }: ZoneRow) => secondary_key && secrets.open(secondary_key, zoneKeyContext(id));
  const hasSameServers = isDeepStrictEqual(row.secondary, catalog.secondary) && keyOf(row) === keyOf(catalog);
  return [{ zone: row.zone, node, groups, coo, hasSameServers }];
}
