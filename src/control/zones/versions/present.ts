/** Versions and the differences between them, as replies show them. */

import { LongWork } from "../../../lib/fair/yield.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesRecord } from "../../access/access.ts";
import type { Right } from "../../access/rights.ts";
import { type Differences, isSameRecord } from "../history/past.ts";
import type { RecordDifference, Version, ZoneDifference } from "../history/schema.ts";
import type { VersionRow } from "../history/store.ts";
import { recordReply } from "../model/record/present.ts";
import { type Reader, zoneOnly } from "../model/zone/present.ts";

/** `newest` is the zone's newest version, which may have restored this one. */
export function versionReply(zone: ZoneRow, row: VersionRow, newest: VersionRow | undefined): Version {
  const { serial: id, user_id, user_name, user_type } = row;
  const isRestored = newest?.restored === id;
  return {
    id,
    name: row.name ?? "",
    active: isRestored || newest?.serial === id,
    activated_at: isRestored ? newest.at : row.at,
    created_at: row.at,
    zone: zone.zone,
    saved: row.name !== null,
    user: user_id === null ? null : { id: user_id, name: user_name ?? "", type: user_type ?? "" },
    action: row.action,
    restored: row.restored,
    removed: row.removed,
    added: row.added,
  };
}

/** The differences that the caller may see with this right. */
export async function differenceReply(
  ctx: Reader,
  right: Right,
  row: ZoneRow,
  { zone, records }: Differences,
): Promise<ZoneDifference> {
  const { access } = ctx.caller;
  const [before, after] = [zone?.before ?? row, zone?.after ?? row];
  const work = new LongWork();
  const shown: RecordDifference[] = [];
  for (const touched of records.values()) {
    await work.giveWay();
    const { domain, type } = (touched.before ?? touched.after)!;
    if (isSameRecord(touched.before, touched.after) || !reachesRecord(access, right, row.zone, domain, type)) continue;
    shown.push({
      domain,
      type,
      before: touched.before ? recordReply(ctx, touched.before, before) : null,
      after: touched.after ? recordReply(ctx, touched.after, after) : null,
    });
  }
  return {
    zone: row.zone,
    settings: zone ? { before: zoneOnly(ctx, zone.before), after: zoneOnly(ctx, zone.after) } : null,
    records: shown.sort((a, b) => (a.domain === b.domain ? order(a.type, b.type) : order(a.domain, b.domain))),
  };
}

const order = (a: string, b: string) => (a < b ? -1 : 1);
