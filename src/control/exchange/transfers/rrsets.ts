/** Writes some records of a zone as its primary has them. */

import { newId } from "../../../lib/ids.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { recordKey } from "../../../sync/net-difference.ts";
import { rowsOf } from "../../kit/store.ts";
import type { Ctx } from "../../write/context.ts";
import { plain } from "../../zones/model/record/plain.ts";
import { recordsPut, recordsRemoved } from "../../zones/model/record/store.ts";
import { noteRecord } from "../../zones/records/put.ts";
import { answersOf, isSame, type Rrset } from "./contents.ts";

const batchRows = 500;

/** Writes the RRsets `wanted` at their record paths (undefined removes one); `rows` are the records there now. */
export async function putRrsets(
  ctx: Ctx,
  zone: ZoneRow,
  rows: readonly RecordRow[],
  wanted: ReadonlyMap<string, Rrset | undefined>,
): Promise<void> {
  const there = new Map(rows.map((row) => [recordKey(row), row]));
  const put: RecordRow[] = [];
  const removed: RecordRow[] = [];
  for (const [path, rrset] of wanted) {
    const row = there.get(path);
    if (rrset && !(row && isSame(row, rrset))) put.push(rowOf(ctx, zone, rrset, row));
    else if (!rrset && row) removed.push(row);
  }
  // a zone's history begins after its first transfer: history of that transfer would double the writes for nothing
  const isKept = isBegun(zone);
  for (const after of put) noteRecord(ctx, { before: there.get(recordKey(after)), after }, { isKept });
  for (const before of removed) noteRecord(ctx, { before, after: undefined });
  for (let at = 0; at < put.length; at += batchRows) {
    await rowsOf(ctx.db, recordsPut.write(put.slice(at, at + batchRows)));
  }
  if (removed.length > 0) await rowsOf(ctx.db, recordsRemoved.write(removed));
}

/** A transferred record has plain DNS data only, and no steering. */
const rowOf = ({ now }: Ctx, zone: ZoneRow, rrset: Rrset, before: RecordRow | undefined): RecordRow => ({
  ...plain,
  account_id: zone.account_id,
  zone_id: zone.id,
  domain: rrset.domain,
  type: rrset.type.name,
  id: before?.id ?? newId(),
  ttl: rrset.ttl,
  use_client_subnet: true,
  answers: answersOf(rrset).map((answer) => ({ answer, id: newId(), meta: {} })),
  created_at: before?.created_at ?? now,
  updated_at: now,
});

/** Whether the zone has, or once had, contents. */
export const isBegun = ({ expired, transfer }: ZoneRow) => !expired || (transfer?.last_xfr ?? 0) > 0;
