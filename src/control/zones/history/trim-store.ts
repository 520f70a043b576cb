/** SQL that removes old history. */
import { accountsToTrim, type Db, repeated, rowsOf, statement } from "../../kit/store.ts";

const mostAtOnce = 2000;

/**
 * Removes history older than a time. Keeps the newest version of each zone, and saved versions with all later versions:
 * a version is the present state with all later changes undone.
 */
export async function trimHistory(db: Db, before: number): Promise<void> {
  for (const id of await accountsToTrim(db)) {
    for (const text of [trimVersions, trimUnnumbered]) {
      await repeated(mostAtOnce, () => count(db, text, [id, before, mostAtOnce]));
    }
  }
}

const count = async (db: Db, text: string, parameters: readonly unknown[]) =>
  (await rowsOf(db, statement(text, parameters))).length;

/** The zone of a row is neither there nor can it be brought back. */
const isGone = (row: string) => `
  not exists (select from zone where zone.account_id = ${row}.account_id and zone.id = ${row}.zone_id)
  and not exists (
    select from deleted_zone as kept where kept.account_id = ${row}.account_id and kept.id = ${row}.zone_id)`;

const trimVersions = `
  with old as (
    select given.account_id, given.zone_id, given.serial, given.change_id from zone_history as history
    join zone_serial as given on given.account_id = history.account_id and given.zone_id = history.zone_id
      and given.change_id = history.change_id
    where history.account_id = $1 and history.at < $2
      and not exists (
        select from saved_version as saved join zone_serial as kept
          on kept.account_id = saved.account_id and kept.zone_id = saved.zone_id and kept.serial = saved.serial
        where saved.account_id = given.account_id and saved.zone_id = given.zone_id and kept.revision <= given.revision)
      and (
        exists (
          select from zone_serial as later
          where later.account_id = given.account_id and later.zone_id = given.zone_id and later.revision > given.revision)
        or ${isGone("given")})
    limit $3),
  gone as (
    delete from zone_history as history using old
    where history.account_id = old.account_id and history.zone_id = old.zone_id and history.change_id = old.change_id)
  delete from zone_serial as given using old
  where given.account_id = old.account_id and given.zone_id = old.zone_id and given.serial = old.serial
  returning given.serial`;

/** Removes history without a serial, which deletions leave. */
const trimUnnumbered = `
  delete from zone_history where account_id = $1 and (zone_id, change_id) in (
    select history.zone_id, history.change_id from zone_history as history
    where history.account_id = $1 and history.at < $2 and not exists (
      select from zone_serial as given
      where given.account_id = history.account_id and given.zone_id = history.zone_id
        and given.change_id = history.change_id)
    limit $3)
  returning change_id`;

/** Versions that one statement removes: each may have megabytes. */
const versionsAtOnce = 100;

/**
 * Removes the history of an account up to a time, whatever its size: saved versions, too. Of each zone the newest version
 * stays, without the way back from it. Returns the number of versions that were removed.
 */
export async function removeHistory(db: Db, account_id: string, until: number): Promise<number> {
  const zones = await rowsOf(db, statement<{ zone_id: string }>(zonesUntil, [account_id, until]));
  let versions = 0;
  for (const { zone_id } of zones) {
    const parameters = [account_id, zone_id, until, versionsAtOnce];
    for (let some = -1; some !== 0; versions += some) some = await count(db, oldestVersions, parameters);
    await count(db, emptyNewest, [account_id, zone_id, until]);
  }
  await repeated(versionsAtOnce, () => count(db, leftByZones, [account_id, until, versionsAtOnce]));
  return versions;
}

const zonesUntil = `select distinct zone_id from zone_history where account_id = $1 and at <= $2`;

/**
 * Always from the beginning of a zone's history, in the order of revisions: a version cannot be found any more when a
 * change after it is missing. Times are not in this order if changes took long.
 */
const oldestVersions = `
  with oldest as (
    select given.serial, given.change_id, given.revision, (
      select history.at from zone_history as history
      where history.account_id = given.account_id and history.zone_id = given.zone_id
        and history.change_id = given.change_id) as at
    from zone_serial as given where given.account_id = $1 and given.zone_id = $2
    order by given.revision limit $4),
  old as (
    select serial, change_id from oldest
    where revision <= (select max(revision) from oldest where at <= $3)
      and (
        exists (
          select from zone_serial as later
          where later.account_id = $1 and later.zone_id = $2 and later.revision > oldest.revision)
        or not exists (select from zone where zone.account_id = $1 and zone.id = $2)
          and not exists (select from deleted_zone as kept where kept.account_id = $1 and kept.id = $2))),
  past as (
    delete from zone_history as history using old
    where history.account_id = $1 and history.zone_id = $2 and history.change_id = old.change_id),
  names as (
    delete from saved_version as saved using old
    where saved.account_id = $1 and saved.zone_id = $2 and saved.serial = old.serial)
  delete from zone_serial as given using old
  where given.account_id = $1 and given.zone_id = $2 and given.serial = old.serial
  returning given.serial`;

/** The version before the newest is gone, so nothing needs the way back to it. */
const emptyNewest = `
  update zone_history set removed = '[]', added = '[]'
  where account_id = $1 and zone_id = $2 and at <= $3
    and pg_column_size(removed) + pg_column_size(added) > 1000
    and change_id = (
      select given.change_id from zone_serial as given
      where given.account_id = $1 and given.zone_id = $2 order by given.revision desc limit 1)
    and not exists (
      select from zone_serial as given where given.account_id = $1 and given.zone_id = $2
      offset 1)
  returning change_id`;

/** Removes what zones left that are gone. A change that waits for its number stays. */
const leftByZones = `
  delete from zone_history where account_id = $1 and (zone_id, change_id) in (
    select history.zone_id, history.change_id from zone_history as history
    where history.account_id = $1 and history.at <= $2 and ${isGone("history")}
      and not exists (
        select from change
        where change.account_id = history.account_id and change.id = history.change_id and change.revision is null)
    limit $3)
  returning change_id`;
