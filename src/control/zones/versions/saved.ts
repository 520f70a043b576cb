/** Saved versions: saving the newest version of a zone, and deleting saved ones. */
import { setTimeout as delay } from "node:timers/promises";
import { conflict, unavailable } from "../../../lib/problem.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { limits } from "../../kit/limits.ts";
import type { Db } from "../../kit/store.ts";
import type { Ctx } from "../../write/context.ts";
import { getListedVersion } from "../history/past.ts";
import {
  end,
  isUnnumbered,
  listSaved,
  listVersions,
  removeSaved,
  saveVersion,
  unlistVersion,
  type VersionRow,
} from "../history/store.ts";
import { getZone } from "../model/zone/find.ts";
import { assertWhole } from "../model/zone/reach.ts";
import { lockSettings } from "../model/zone/store.ts";

const longestName = 255;
/** Milliseconds in which the latest changes must get their serials. */
const longestWait = 5000;

/** Waits until all changes committed before the call have their versions. */
export async function awaitVersions(db: Db, zone: ZoneRow): Promise<void> {
  const deadline = performance.now() + longestWait;
  while (await isUnnumbered(db, zone)) {
    if (performance.now() > deadline) throw unavailable("the zone's last changes have no serial yet");
    await delay(5);
  }
}

/** Saves the newest version. At the limit, `force` makes the oldest saved version an ordinary one. */
export async function saveNewest(ctx: Ctx, path: string, { name, force }: { name: string; force: boolean }) {
  const zone = await getZone(ctx, path, lockSettings);
  assertWhole(ctx, zone.zone);
  const [newest] = await listVersions(ctx.db, zone, end, 1, false);
  if (!newest) throw unavailable("the zone's first change has no serial yet");
  const saved = await listSaved(ctx.db, zone);
  let forgotten: number | undefined;
  if (saved.length >= limits.savedVersions && !saved.includes(newest.serial)) {
    if (!force)
      throw conflict(`the zone has ${limits.savedVersions} saved versions; delete one, or send force=true`, {
        zone: path,
      });
    forgotten = saved[0]!;
    await removeSaved(ctx.db, zone, forgotten);
  }
  const shown = name.slice(0, longestName) || `version ${newest.serial}`;
  await saveVersion(ctx.db, zone, { serial: newest.serial, name: shown, now: ctx.now });
  return { zone, before: newest, newest: { ...newest, name: shown }, forgotten };
}

/**
 * Deletes a version: it loses its saved name, and is no longer listed unless it is the newest. The history stays as it is,
 * so the version's number can still be named.
 */
export async function removeVersion(ctx: Ctx, path: string, serial: number): Promise<VersionRow & { zone: string }> {
  const zone = await getZone(ctx, path, lockSettings);
  assertWhole(ctx, zone.zone);
  const version = await getListedVersion(ctx.db, zone, serial);
  const [newest] = await listVersions(ctx.db, zone, end, 1, false);
  if (newest?.serial !== serial) await unlistVersion(ctx.db, zone, serial);
  else if (version.name === null) throw conflict("the newest version cannot be deleted", { version: serial });
  await removeSaved(ctx.db, zone, serial);
  return { ...version, zone: zone.zone };
}
