/** Imports a zone file: loads it in slices, and makes it a zone in one short transaction. */

import type { ReplyOptions } from "../../http/route/route.ts";
import type { Spool } from "../../lib/files/spool.ts";
import { ZoneLoad } from "../../storage/loads.ts";
import { holdsAll } from "../access/access.ts";
import { limits } from "../kit/limits.ts";
import type { Ctx, Transacted } from "../write/context.ts";
import { settle } from "../write/settle/settle.ts";
import { firstPage } from "../zones/listing.ts";
import { zoneOnly } from "../zones/model/zone/present.ts";
import { assertNoneClosed } from "../zones/model/zone/reach.ts";
import type { ZoneBody } from "../zones/model/zone/schema.ts";
import { createZone } from "../zones/write.ts";
import type { Report, ZoneFileCtx } from "./jobs.ts";
import type { ReadZone } from "./reading/read.ts";
import { readSpooled } from "./reading/reading.ts";
import type { ImportedZone } from "./schema.ts";

/** The type and action of the activity entry. */
export const imported = ["zonefile", "create"] as const;

/** Milliseconds for which an import waits for the edges. */
const settleWithin = 10_000;

export interface WrittenZone {
  readonly reply: ImportedZone;
  /** Where the further pages of its records are. */
  readonly paging: ReplyOptions;
  /** The number of records, without the NS record of the apex. */
  readonly count: number;
}

export interface ImportSettings {
  /** Fields of the zone that are not in the file. */
  readonly placing: ZoneBody;
  /** Takes the good lines of the file, and leaves out the others with warnings. */
  readonly partial: boolean;
  /** The type and action of the activity entry. */
  readonly log: readonly [resource: string, action: string];
}

/** Throws `invalid` for a bad file. Then, or if the process is killed, nothing of the file becomes visible. */
export async function importZone(
  ctx: ZoneFileCtx,
  zone: string,
  file: Spool,
  { placing, partial, log }: ImportSettings,
  report: Report,
): Promise<Transacted<WrittenZone>> {
  const { account_id, now, caller, imports, memory } = ctx;
  await memory.quotas.ready(account_id);
  const load = await ZoneLoad.begin(imports.store, account_id);
  try {
    const { fd, octets } = file;
    const head = { account_id, zone_id: load.zone_id, now };
    const order = { fd, octets, zone, mostAnswers: limits.answers, partial, access: caller.access, head };
    const pace = imports.traffic.pace();
    const read = await readSpooled(order, imports.signal, async (step, done) => {
      if (step === "restart") return await load.clear();
      await imports.inTurn(account_id, () => load.add(step.slice));
      memory.quotas.assert(account_id, { zones: 1, ...load.size });
      report(`creating zone ${zone}`, done * 98);
      await pace();
    });
    const written = await ctx.transact(log, async (tx) => {
      // the file was read with the rights that its sender had on arrival, and the import may have waited since
      if (!holdsAll(tx.caller.access, caller.access)) await assertNoneClosed(tx, { id: load.zone_id, zone });
      return await makeZone(tx, zone, { ...read.body, ...placing }, load, read);
    });
    return { ...written, result: await settledZone(ctx, written) };
  } finally {
    await load.end();
  }
}

/** Waits until the zone has its serial and edges answer it, within a limit. */
async function settledZone({ db, account_id }: Ctx, { result, change }: Transacted<WrittenZone>): Promise<WrittenZone> {
  if (change === undefined) return result;
  const { reply } = result;
  const { serials, outstanding } = await settle(db, account_id, change, settleWithin);
  const warnings = [...reply.warnings, ...(outstanding === undefined ? [] : [`serial: ${outstanding}`])];
  return { ...result, reply: { ...reply, serial: serials[reply.id] ?? reply.serial, warnings } };
}

async function makeZone(ctx: Ctx, path: string, body: ZoneBody, load: ZoneLoad, { warnings, records }: ReadZone) {
  const zone = await createZone(ctx, path, body, load);
  const { body: reply, options: paging } = await firstPage(ctx, zone);
  const result = { reply: { ...reply, warnings: [...warnings] }, paging, count: records };
  return { result, resource: zoneOnly(ctx, zone) };
}
