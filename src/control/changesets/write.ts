/** Writes many zones and records as one change: everything or nothing. */
import { type Attempt, attemptAt, invalid } from "../../lib/problem.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { assertPermitted } from "../access/caller.ts";
import type { Ctx } from "../write/context.ts";
import { LockedNames, NameLocks } from "../write/locks.ts";
import { findZones } from "../zones/model/record/link-store.ts";
import { zoneName } from "../zones/model/zone/fields.ts";
import { readWrites, writeAcross } from "../zones/records/across.ts";
import { type Confirmation, guardZones } from "../zones/records/guard.ts";
import { assertNoTarget, changeZone, createZone, removeZone } from "../zones/write.ts";
import { assertUnchanged } from "./expect.ts";
import type { ChangeSetBody, ZoneWrite } from "./schema.ts";

interface NamedZone {
  readonly name: string;
  readonly write: ZoneWrite;
  readonly attempt: Attempt;
}

/** The former rows, by zone id, of deleted zones, which are available nowhere else, and of changed zones. */
export interface FormerZones {
  readonly removed: ReadonlyMap<string, ZoneRow>;
  readonly changed: ReadonlyMap<string, ZoneRow>;
}

/**
 * Writes zones first, deletions before creations, then records; all in the order of names, so that two change sets seldom
 * wait for each other's locks.
 */
export async function writeAll(ctx: Ctx, body: ChangeSetBody, confirmation: Confirmation): Promise<FormerZones> {
  const zones = (body.zones ?? []).map((write, i) => namedZone(ctx, write, i));
  assertOnce(zones);
  const records = await readWrites(ctx, body.records ?? []);
  if (zones.length === 0 && records.size === 0) throw invalid("zones and records are both empty");
  await assertUnchanged(ctx, body.expect ?? []);
  const former = await writeZones(ctx, zones, confirmation);
  await writeAcross(ctx, records, confirmation);
  return former;
}

function namedZone(ctx: Ctx, write: ZoneWrite, i: number): NamedZone {
  const attempt = attemptAt(`zones[${i}]`, write.zone, { zone: write.zone });
  const name = attempt(() => {
    const name = zoneName(write.zone, ctx.settings.edition);
    assertPermitted(ctx.caller, "dns.manage_zones", { zone: name });
    return name;
  });
  return { name, write, attempt };
}

function assertOnce(zones: readonly NamedZone[]): void {
  const seen = new Set<string>();
  for (const { name, attempt } of zones) {
    attempt(() => {
      if (seen.has(name)) throw invalid("the zone is named twice", { field: "zone" });
    });
    seen.add(name);
  }
}

async function writeZones(ctx: Ctx, zones: readonly NamedZone[], confirmation: Confirmation): Promise<FormerZones> {
  const removed = new Map<string, ZoneRow>();
  const ordered = (action: ZoneWrite["action"]) =>
    zones.filter(({ write }) => write.action === action).sort((a, b) => (a.name < b.name ? -1 : 1));
  const gone = ordered("delete");
  const names = gone.map(({ name }) => name);
  const rows = names.length === 0 ? [] : await findZones(ctx.db, ctx.account_id, names);
  await guardZones(ctx, rows, confirmation);
  for (const { name, attempt } of gone) {
    const row = await attempt(() => removeZone(ctx, name));
    removed.set(row.id, row);
  }
  for (const { name, attempt } of gone) await attempt(() => assertNoTarget(ctx, name, confirmation));
  for (const { name, write, attempt } of ordered("create")) await attempt(() => createZone(ctx, name, write));
  // a separate set of locks: the records' names are locked again later, including the apex, which new name servers lock
  const settings = { ...ctx, names: new NameLocks(new LockedNames(ctx.db)) };
  const changed = new Map<string, ZoneRow>();
  for (const { name, write, attempt } of ordered("update")) {
    const { before } = await attempt(() => changeZone(settings, name, write));
    changed.set(before.id, before);
  }
  return { removed, changed };
}
