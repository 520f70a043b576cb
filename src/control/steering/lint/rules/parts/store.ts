/** SQL of lint: the records that delegate names or move them elsewhere. */

import type { RecordRow } from "../../../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../../../storage/tables/zones.ts";
import { type Db, rowsOf, statement } from "../../../../kit/store.ts";

type Cut = Pick<RecordRow, "domain" | "type" | "answers">;

/** The NS and DNAME records at these names of a zone. */
export const cutsAt = (db: Db, { account_id, id }: ZoneRow, names: readonly string[]): Promise<readonly Cut[]> =>
  rowsOf(db, statement<Cut>(atNames, [account_id, id, names]));
const atNames = `
  select domain, type, answers from record
  where account_id = $1 and zone_id = $2 and domain = any($3::text[]) and type in ('NS', 'DNAME')`;

/** The NS records among the first `limit` records of a zone. */
export const firstDelegations = (db: Db, { account_id, id }: ZoneRow, limit: number): Promise<readonly Cut[]> =>
  rowsOf(db, statement<Cut>(delegations, [account_id, id, limit]));
const delegations = `
  select domain, type, answers from (
    select domain, type, answers from record where account_id = $1 and zone_id = $2 order by domain, type limit $3
  ) as first where type = 'NS'`;
