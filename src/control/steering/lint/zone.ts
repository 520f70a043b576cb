/** Looks through the records of a zone for probable mistakes. */
import { LongWork } from "../../../lib/fair/yield.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesRecord } from "../../access/access.ts";
import type { Ctx } from "../../write/context.ts";
import { pagesOf } from "../../zones/model/record/store.ts";
import { type Warning, warningsOf, warningsOfLink } from "./lint.ts";
import { Covers } from "./rules/parts/covers.ts";
import { Targets } from "./rules/parts/targets.ts";

const right = "dns.view_zones";

export interface Linted {
  readonly zone: string;
  /** The number of records checked. */
  readonly records: number;
  /** False when the zone has more records or warnings than are looked at. */
  readonly complete: boolean;
  readonly warnings: Warning[];
}

const page = 100;
export const mostRecords = 20_000;
export const mostWarnings = 1000;

/** Checks the records of a zone that the caller may see. `pace` is awaited before each page of records. */
export async function lintZone(ctx: Ctx, zone: ZoneRow, pace: () => Promise<void> = async () => {}): Promise<Linted> {
  const { access } = ctx.caller;
  const targets = new Targets(ctx);
  const covers = new Covers(ctx, zone);
  const work = new LongWork();
  const warnings = await warningsOfLink(ctx, zone);
  let [read, records] = [0, 0];
  let isLast = false;
  for await (const rows of pagesOf(ctx.db, zone, page)) {
    await pace();
    const open = rows.filter(({ domain, type }) => reachesRecord(access, right, zone.zone, domain, type));
    await targets.find(open);
    await covers.find(open);
    for (const row of open) {
      await work.giveWay();
      for (const warning of warningsOf(zone, row, targets.missing, covers.of(row))) warnings.push(warning);
    }
    records += open.length;
    read += rows.length;
    isLast = rows.length < page;
    if (read >= mostRecords || warnings.length >= mostWarnings) break;
  }
  const complete = isLast && !targets.isFull && warnings.length <= mostWarnings;
  return { zone: zone.zone, records, complete, warnings: warnings.slice(0, mostWarnings) };
}
