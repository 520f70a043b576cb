/** SQL that removes old history. */
import { acrossAccounts } from "../../../storage/fence/exceptions.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";

const mostAtOnce = 2000;

/**
 * Removes history older than a time. Keeps the newest version of each zone, and saved versions with all later versions:
 * a version is the present state with all later changes undone.
 */
export async function trimHistory(db: Db, before: number): Promise<void> {
  for (const text of [trimVersions, trimUnnumbered]) {
    while ((await rowsOf(db, statement(text, [before, mostAtOnce]))).length === mostAtOnce);
  }
}

const trimVersions = `${acrossAccounts("age")}
  with old as (
    select given.account_id, given.zone_id, given.serial, given.change_id from zone_history as history
    join zone_serial as given on given.account_id = history.account_id and given.zone_id = history.zone_id
      and given.change_id = history.change_id
    where history.at < $1
      and not exists (
        select from saved_version as saved join zone_serial as kept
          on kept.account_id = saved.account_id and kept.zone_id = saved.zone_id and kept.serial = saved.serial
        where saved.account_id = given.account_id and saved.zone_id = given.zone_id and kept.revision <= given.revision)
      and (
        exists (
          select from zone_serial as later
          where later.account_id = given.account_id and later.zone_id = given.zone_id and later.revision > given.revision)
        or not exists (
          select from zone where zone.account_id = given.account_id and zone.id = given.zone_id)
        and not exists (
          select from deleted_zone as kept where kept.account_id = given.account_id and kept.id = given.zone_id))
    limit $2),
  gone as (
    delete from zone_history as history using old
    where history.account_id = old.account_id and history.zone_id = old.zone_id and history.change_id = old.change_id)
  delete from zone_serial as given using old
  where given.account_id = old.account_id and given.zone_id = old.zone_id and given.serial = old.serial
  returning given.serial`;

/** Removes history without a serial, which deletions leave. */
const trimUnnumbered = `${acrossAccounts("age")}
  delete from zone_history where (account_id, zone_id, change_id) in (
    select history.account_id, history.zone_id, history.change_id from zone_history as history
    where history.at < $1 and not exists (
      select from zone_serial as given
      where given.account_id = history.account_id and given.zone_id = history.zone_id
        and given.change_id = history.change_id)
    limit $2)
  returning change_id`;
