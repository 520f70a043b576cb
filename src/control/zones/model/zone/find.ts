/** The zone that a path names. */
import { missing } from "../../../../lib/problem.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import type { Ctx } from "../../../write/context.ts";
import { zoneName } from "./fields.ts";
import { findZone } from "./store.ts";

/** `find` may also lock the zone. */
export async function getZone({ db, account_id, settings }: Ctx, path: string, find = findZone): Promise<ZoneRow> {
  const zone = zoneName(path, settings.edition);
  const row = await find(db, account_id, zone);
  if (!row) throw missing("zone not found", { zone });
  return row;
}
