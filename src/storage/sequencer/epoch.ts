/**
 * The epoch of the store, which ends when the store is put back to an earlier moment: serials that are unknown to it may
 * have been given then. In a new epoch, the next serial of each zone is far ahead of its last one, and zones that other
 * servers transfer get such a serial at once.
 */
import { CompiledQuery } from "kysely";
import { composeChanges } from "../../sync/body.ts";
import { acrossAccounts } from "../fence/exceptions.ts";

export interface Epoch {
  readonly number: number;
  /** False after the store was put back: a new epoch has to begin. */
  readonly isOwn: boolean;
  /** Whether there are zones for other servers that have no serial of this epoch yet. */
  readonly isMoving: boolean;
}

/** How far serials move ahead: at 20 changes a second to one zone, nine days. Half of the serials' circle is 128 times this. */
export const serialStep = 2 ** 24;
const zonesAtOnce = 200;

/**
 * Columns of the table `epoch`, as `Epoch`. A copy of the row, such as a dump restores, has another writer (xmin) than the
 * row says; recovery to an earlier moment and the promotion of a standby begin another timeline.
 */
export const epochColumns = `
  epoch.number,
  epoch.xmin::text = epoch.writer and epoch.timeline = current_timeline() as "isOwn",
  epoch.moved_zone is not null as "isMoving"`;

/** A condition: there is something to do besides numbering changes. */
export const isEpochDue = `exists (select from (select ${epochColumns} from epoch) as epoch where not "isOwn" or "isMoving")`;

const renewed = "writer = current_writer(), timeline = current_timeline()";

export const beginEpoch = CompiledQuery.raw(
  `update epoch set number = number + 1, ${renewed}, moved_account = '', moved_zone = ''`,
);

/** Ends the epoch of a store to which zones were imported, some of which may have serials of later epochs. */
export const endEpoch = "update epoch set number = (select coalesce(max(epoch), 0) from zone), writer = ''";

/** Returns a statement that gives some zones for other servers a change without contents, and so a serial of this epoch. */
export const moveZones = (now: number): CompiledQuery => CompiledQuery.raw(moveText, [composeChanges([]), now]);

const moveText = `${acrossAccounts("order")}
  with next as materialized (
    select zone.account_id, zone.id
    from epoch join zone
      on (zone.account_id, zone.id) > (epoch.moved_account, epoch.moved_zone) and zone.epoch <> epoch.number
    where (zone."primary"->>'enabled') = 'true' and zone.refresh_at is null
    order by zone.account_id, zone.id
    limit ${zonesAtOnce}),
  moved as (
    insert into change (account_id, id, zone_ids, body, is_load, created)
    select account_id, left(replace(gen_random_uuid()::text, '-', ''), 24), json_build_array(id), $1, false, $2::bigint
    from next)
  update epoch set ${renewed},
    (moved_account, moved_zone) = (select account_id, id from next order by account_id desc, id desc limit 1)`;
