/** Zones are found by parts of their name in Unicode, and by the state of their delegation. */
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { unicodeName } from "../../lib/text/unicode-name.ts";

const name = `text collate "C" not null`;
const delegations: readonly string[] = [
  `create table zone_delegation (
     account_id ${name}, zone_id ${name}, due_at bigint not null, looked_at bigint, state text, asked text, found json,
     primary key (account_id, zone_id))`,
  "create index zone_delegation_due on zone_delegation (account_id, due_at)",
  "insert into zone_delegation (account_id, zone_id, due_at) select account_id, id, 0 from zone",
];

/** Rows that one statement reads and writes. */
const batch = 5000;

export const zoneList: Migration = {
  async up(db) {
    await sql`alter table zone add column unicode text`.execute(db);
    await nameZones(db);
    for (const statement of delegations) await sql.raw(statement).execute(db);
  },
};

/** Gives the zones that have A-labels their name in Unicode. */
async function nameZones(db: Kysely<unknown>): Promise<void> {
  for (let after = ["", ""]; ; ) {
    const { rows } = await sql<{ account_id: string; id: string; zone: string }>`
      select account_id, id, zone from zone where zone like '%xn--%' and (account_id, id) > (${after[0]}, ${after[1]})
      order by account_id, id limit ${batch}`.execute(db);
    const [accounts, ids] = [rows.map((row) => row.account_id), rows.map((row) => row.id)];
    const names = rows.map(({ zone }) => unicodeName(zone));
    await sql`
      update zone set unicode = given.unicode
      from unnest(${accounts}::text[], ${ids}::text[], ${names}::text[]) as given (account_id, id, unicode)
      where zone.account_id = given.account_id and zone.id = given.id`.execute(db);
    if (rows.length < batch) return;
    after = [accounts.at(-1)!, ids.at(-1)!];
  }
}
