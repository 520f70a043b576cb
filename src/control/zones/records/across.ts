/** Writes of records in several zones, all or nothing. */
import { LongWork } from "../../../lib/fair/yield.ts";
import type { Ctx } from "../../write/context.ts";
import type { RecordWriteBody } from "../model/record/schema.ts";
import { getZone } from "../model/zone/find.ts";
import { type RecordWrite, recordWrite, writeRecords, writtenBy } from "./bulk.ts";
import type { Confirmation } from "./guard.ts";
import { settleLinks } from "./links.ts";
import type { WrittenRecord } from "./put.ts";

/** The writes by zone. Throws unless the caller may do all of them. */
export async function readWrites(
  ctx: Ctx,
  bodies: readonly RecordWriteBody[],
): Promise<ReadonlyMap<string, readonly RecordWrite[]>> {
  const writes = new Map<string, RecordWrite[]>();
  const work = new LongWork();
  for (const [i, { action, zone: path, ...named }] of bodies.entries()) {
    await work.giveWay();
    const write = recordWrite(ctx, path, action, named, `records[${i}]`);
    const { zone } = write.path;
    const inZone = writes.get(zone);
    if (inZone) inZone.push(write);
    else writes.set(zone, [write]);
  }
  return writes;
}

/** Zones are written in the order of their names, so that two such writes seldom wait for each other's locks. */
export async function writeAcross(
  ctx: Ctx,
  writes: ReadonlyMap<string, readonly RecordWrite[]>,
  confirmation: Confirmation,
): Promise<readonly WrittenRecord[]> {
  const written: WrittenRecord[] = [];
  const targets = new Set<string>();
  for (const [zone, inZone] of [...writes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await inZone[0]!.attempt(() => getZone(ctx, zone));
    const done = await writeRecords(ctx, zone, inZone, confirmation);
    written.push(...writtenBy(done));
    for (const name of done.targets) targets.add(name);
    ctx.flush();
  }
  await settleLinks(ctx, written, { targets, confirmation });
  return written;
}
