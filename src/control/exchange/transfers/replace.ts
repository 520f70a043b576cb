/** Replaces a zone's records with a load: if few differ, only these; otherwise all, and the history starts again. */
import { WireError } from "../../../dns/wire/wire.ts";
import type { ZoneLoad } from "../../../storage/loads.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { recordKey } from "../../../sync/net-difference.ts";
import type { Ctx } from "../../write/context.ts";
import { isUnnumbered } from "../../zones/history/store.ts";
import { beforeFirst, type RecordCursor, recordsAt } from "../../zones/model/record/store.ts";
import { Contents, type Rrset } from "./contents.ts";
import { isBegun, putRrsets } from "./rrsets.ts";
import {
  endOfSome,
  forgetDestinations,
  forgetSerials,
  type Loaded,
  listDiffering,
  moveRange,
  removeRange,
} from "./store.ts";

/** Limits on an ordinary change: records that secondaries are sent as differences, and octets that one request reads. */
export const mostDiffering = { records: 20_000, octets: 16 * 1024 * 1024 };
const namesAtOnce = 500;
const rowsAtOnce = 5000;

/** Runs in a transaction that has locked the zone. */
export async function replaceByLoad(ctx: Ctx, zone: ZoneRow, load: ZoneLoad, pace: () => Promise<void>): Promise<void> {
  // a change that gets its serial later would be a version of the forgotten history
  if (await isUnnumbered(ctx.db, zone)) throw new WireError("answered, but the zone was changed here in the meantime");
  const names = isBegun(zone) ? await differingNames(ctx, zone, load) : undefined;
  if (names) await replaceSome(ctx, zone, load, names);
  else await replaceWhole(ctx, zone, load, pace);
}

/** Returns undefined when there are too many differences for an ordinary change. */
async function differingNames({ db }: Ctx, zone: ZoneRow, load: Loaded): Promise<string[] | undefined> {
  const differing = await listDiffering(db, zone, load, mostDiffering.records + 1);
  const octets = differing.reduce((sum, name) => sum + name.octets, 0);
  const records = differing.reduce((sum, name) => sum + name.records, 0);
  return records > mostDiffering.records || octets > mostDiffering.octets
    ? undefined
    : differing.map(({ domain }) => domain);
}

async function replaceSome(ctx: Ctx, zone: ZoneRow, load: Loaded, names: readonly string[]): Promise<void> {
  const loaded = { account_id: load.account_id, id: load.zone_id };
  for (let at = 0; at < names.length; at += namesAtOnce) {
    const some = names.slice(at, at + namesAtOnce);
    const rows = await recordsAt(ctx.db, zone, some);
    const { rrsets } = Contents.after(await recordsAt(ctx.db, loaded, some), []);
    const gone = rows.map((row): [string, Rrset | undefined] => [recordKey(row), undefined]);
    await putRrsets(ctx, zone, rows, new Map([...gone, ...rrsets]));
  }
}

/** Moves the rows of the load into the zone, in steps that give way to other work. */
async function replaceWhole(ctx: Ctx, zone: ZoneRow, load: ZoneLoad, pace: () => Promise<void>): Promise<void> {
  const { db } = ctx;
  const inRanges = async (records: Loaded, act: (range: readonly [RecordCursor, RecordCursor]) => Promise<void>) => {
    for (let after = beforeFirst; ; await pace()) {
      const last = await endOfSome(db, records, after, rowsAtOnce);
      if (!last) return;
      await act([after, last]);
      after = last;
    }
  };
  const old = { account_id: zone.account_id, zone_id: zone.id };
  let removed = 0;
  await inRanges(old, async (range) => {
    removed += await removeRange(db, old, range);
  });
  await forgetDestinations(db, zone);
  await inRanges(load, (range) => moveRange(db, load, zone, range));
  // the octets are counted later
  ctx.changes.grow({ records: load.size.records - removed });
  await load.publish(db);
  await forgetSerials(db, zone);
  const { id: zone_id, zone: name } = zone;
  ctx.changes.add(zone_id, [{ kind: "contents", zone_id, zone: name, load: load.reference() }]);
}
