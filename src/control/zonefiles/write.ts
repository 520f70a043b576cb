/** The zone and the records of a zone file, written in one transaction and as one change. */
import { newId } from "../../lib/ids.ts";
import { denied } from "../../lib/problem.ts";
import { recordState } from "../../sync/state.ts";
import { opensRecord } from "../access/permit.ts";
import type { Ctx } from "../context.ts";
import { recordSummary } from "../records/present.ts";
import { beforeAll, listSummaries, type RecordRow, recordsPut } from "../records/store.ts";
import { rowsOf } from "../store.ts";
import { zoneOnly, zoneReply } from "../zones/present.ts";
import type { ZoneBody } from "../zones/schema.ts";
import type { ZoneRow } from "../zones/store.ts";
import { createZone } from "../zones/write.ts";
import { Slices } from "./pause.ts";
import type { NewRecord, ReadZone } from "./read.ts";
import type { ImportedZone } from "./schema.ts";

const batchRows = 500;
const recordPage = 2500;

export interface WrittenZone {
  readonly reply: ImportedZone;
  /** The zone without its records, which the activity log keeps. */
  readonly resource: unknown;
  /** Records, that of the name servers not among them. */
  readonly count: number;
}

/** `progress` is told the part that is done, from 0 to 1. */
export async function writeZone(
  ctx: Ctx,
  path: string,
  { body, records, warnings }: ReadZone,
  placing: ZoneBody,
  progress: (done: number) => void,
): Promise<WrittenZone> {
  const zone = await createZone(ctx, path, { ...body, ...placing });
  assertOpen(ctx, zone, records);
  const slices = new Slices();
  for (let at = 0; at < records.length; at += batchRows) {
    const rows = records.slice(at, at + batchRows).map((record) => rowOf(ctx, zone, record));
    // the zone's history begins with the zone: as many records again would be written for nothing
    ctx.changes.add(
      zone.id,
      rows.map((row) => ({ kind: "record", record: recordState(row) })),
    );
    await rowsOf(ctx.db, recordsPut.write(rows));
    progress(at / records.length);
    await slices.pause();
  }
  const first = await listSummaries(ctx.db, ctx.account_id, zone.id, beforeAll, recordPage);
  const summaries = first.map((row) => recordSummary(row, zone));
  const reply = { ...zoneReply(zone, summaries), warnings: [...warnings] };
  return { reply, resource: zoneOnly(zone), count: records.length };
}

function assertOpen({ caller: { grant } }: Ctx, { zone }: ZoneRow, records: readonly NewRecord[]): void {
  const closed = records.find(({ domain, type }) => !opensRecord(grant, zone, domain, type));
  if (closed) throw denied(`You do not have access to the record ${closed.domain} ${closed.type}`, { zone });
}

const rowOf = ({ account_id, now }: Ctx, zone: ZoneRow, { domain, type, fields }: NewRecord): RecordRow => ({
  account_id,
  zone_id: zone.id,
  domain,
  type,
  id: newId(),
  ...fields,
  created_at: now,
  updated_at: now,
});
