/** Which change gave a zone which serial. */
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
  /** False for that of a zone which keeps the one that it has. */
  readonly isNew: boolean;
}

/**
 * Keeps serials, nearly always such that their zones have not had before: the transaction fails with `isDuplicate` when
 * one has. Nothing waits for it before COMMIT.
 */
export function keepSerials(tx: Transaction<Tables>, given: readonly GivenSerial[]): void {
  const [fresh, same] = [given.filter(({ isNew }) => isNew), given.filter(({ isNew }) => !isNew)];
  if (fresh.length > 0) sendLast(tx, CompiledQuery.raw(insert, [JSON.stringify(fresh)]));
  if (same.length > 0) sendLast(tx, CompiledQuery.raw(insertMissing, [JSON.stringify(same)]));
}

/**
 * Keeps serials of which a zone may have had one before: they are numbers on a circle, and one that comes round again is
 * another version. The versions up to the old one are forgotten then, as a part of the way from them to those after it
 * is.
 */
export async function replaceSerials(tx: Transaction<Tables>, given: readonly GivenSerial[]): Promise<void> {
  const kept = await insertNew(tx, given);
  const again = given.filter((each) => each.isNew && !kept.has(keyOf(each)));
  if (again.length === 0) return;
  await tx.executeQuery(CompiledQuery.raw(forgetUpTo, [JSON.stringify(again)]));
  await insertNew(tx, again);
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
