/** Stores the change behind each serial of a zone. */
import { CompiledQuery, type Transaction } from "kysely";
import { plannedEachTime } from "../connection/connection.ts";
import { insertion } from "../connection/insertion.ts";
import { sendLast } from "../connection/transaction.ts";
import type { Tables } from "../tables/index.ts";

export interface GivenSerial {
  readonly account_id: string;
  readonly zone_id: string;
  readonly serial: number;
  readonly change_id: string;
  readonly revision: number;
  /** False for a zone that keeps its serial. */
  readonly isNew: boolean;
}

/**
 * Stores serials that their zones have not had before, which is nearly always so; otherwise the transaction fails with
 * an `isDuplicate` error. The statements are not awaited before COMMIT.
 */
export function keepSerials(tx: Transaction<Tables>, given: readonly GivenSerial[]): void {
  const [fresh, same] = [given.filter(({ isNew }) => isNew), given.filter(({ isNew }) => !isNew)];
  if (fresh.length > 0) sendLast(tx, CompiledQuery.raw(insert, [JSON.stringify(fresh)]));
  if (same.length > 0) sendLast(tx, CompiledQuery.raw(insertMissing, [JSON.stringify(same)]));
}

/**
 * Stores serials that their zones may have had before: serials wrap around, and a serial that recurs is a new version.
 * The versions up to the old one are deleted, because the row that linked them to the later versions is replaced.
 */
export async function replaceSerials(tx: Transaction<Tables>, given: readonly GivenSerial[]): Promise<void> {
  const inserted = await insertNew(tx, given);
  const recurring = given.filter((each) => each.isNew && !inserted.has(keyOf(each)));
  if (recurring.length === 0) return;
  await tx.executeQuery(CompiledQuery.raw(forgetUpTo, [JSON.stringify(recurring)]));
  await insertNew(tx, recurring);
}

type Key = Pick<GivenSerial, "account_id" | "zone_id" | "serial">;
const keyOf = ({ account_id, zone_id, serial }: Key) => `${account_id} ${zone_id} ${serial}`;

async function insertNew(tx: Transaction<Tables>, given: readonly GivenSerial[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.executeQuery<Key>(CompiledQuery.raw(insertMissing, [JSON.stringify(given)]));
  return new Set(rows.map(keyOf));
}

const types = {
  account_id: "text",
  zone_id: "text",
  serial: "bigint",
  change_id: "text",
  revision: "bigint",
};
const insert = insertion("zone_serial", types);
const insertMissing = insertion(
  "zone_serial",
  types,
  "on conflict (account_id, zone_id, serial) do nothing returning account_id, zone_id, serial",
);

const forgetUpTo = `${plannedEachTime}
  with gone as (
    delete from zone_serial as old
    using json_to_recordset($1::json) as given (account_id text, zone_id text, serial bigint), zone_serial as same
    where same.account_id = given.account_id and same.zone_id = given.zone_id and same.serial = given.serial
      and old.account_id = same.account_id and old.zone_id = same.zone_id and old.revision <= same.revision
    returning old.account_id, old.zone_id, old.serial)
  delete from saved_version as saved using gone
  where saved.account_id = gone.account_id and saved.zone_id = gone.zone_id and saved.serial = gone.serial`;
