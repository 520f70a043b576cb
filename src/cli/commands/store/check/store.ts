/** SQL of `fairlead store check`. Every statement sees the rows of all accounts. */
import type { BulkConnection } from "../../../../storage/connection/bulk.ts";
import { sealedColumns, type TextRow } from "../../../../storage/secrets/sealed.ts";
import type { RecordState } from "../../../../sync/change.ts";
import { historyOfSerial } from "../../../../sync/postgres/history.ts";
import { listed, recordColumns } from "../../../../sync/state.ts";

/** A stream of numbered messages. */
export interface StreamTable {
  readonly subject: "configuration" | "live";
  readonly table: "change" | "live_change";
}

/** A message that does not follow the one before it in the stream. */
export interface Break {
  readonly revision: number;
  /** The revision before it, as it says itself. */
  readonly previous: number;
  /** The revision before it in the table. */
  readonly before: number;
  /** Whether the mark of the revision before it is another than it says. */
  readonly has_other_mark: boolean;
}

/** Seconds for which no change is removed from the stream, with time for transactions that took long. */
const surelyKept = 300;
const isRecent = (time: string) => `${time} >= extract(epoch from clock_timestamp())::bigint - ${surelyKept}`;
/** Old changes are removed by age, and so not always in order; live values are. */
const cannotBeMissing = ({ subject }: StreamTable, time: string) => (subject === "live" ? "true" : isRecent(time));

/** A statement for `read`. */
export const breaksText = (stream: StreamTable) => `
  select revision, previous, before, before = revision - 1 and before_mark <> previous_mark as has_other_mark
  from (
    select revision, previous, previous_mark, created, lag(revision) over numbers as before,
      lag(mark) over numbers as before_mark, lag(created) over numbers as before_created
    from ${stream.table} where revision is not null window numbers as (order by revision)) as pair
  where previous <> revision - 1
    or before = revision - 1 and before_mark <> previous_mark
    or before < revision - 1 and ${cannotBeMissing(stream, "least(created, before_created)")}
  order by revision`;

export interface Head {
  /** The last number that was given. */
  readonly revision: number;
  /** The last message; null without messages. */
  readonly last: number | null;
  readonly has_other_mark: boolean;
  readonly is_missing: boolean;
}

export async function headOf(store: BulkConnection, stream: StreamTable): Promise<Head | undefined> {
  const text = `
    select sequencer.revision, last.revision as last,
      coalesce(last.revision = sequencer.revision and last.mark <> sequencer.mark, false) as has_other_mark,
      coalesce(last.revision < sequencer.revision and ${cannotBeMissing(stream, "last.created")}, false) as is_missing
    from sequencer left join lateral (
      select * from ${stream.table} where revision is not null order by revision desc limit 1) as last on true
    where subject = $1`;
  return (await store.rows<Head>(text, [stream.subject]))[0];
}

/** A zone whose serial is not that of its last numbered change. */
export interface WrongSerial {
  readonly zone_id: string;
  readonly zone: string;
  readonly serial: number;
  /** The serial and revision of the zone's last change. */
  readonly given: number;
  readonly revision: number;
}

const wrongSerial = "zone.id as zone_id, zone.zone, zone.serial, given.serial as given, given.revision";
/** A statement for `read`: the serials of versions. */
export const wrongVersionsText = `
  select ${wrongSerial} from zone join lateral (
    select serial, revision from zone_serial where account_id = zone.account_id and zone_id = zone.id
    order by revision desc limit 1) as given on given.serial <> zone.serial
  order by zone.zone`;
/** A statement for `read`: the serials in the change stream. */
export const wrongSerialsText = `
  select ${wrongSerial} from (
    select distinct on (said.key) change.account_id, said.key as id, said.value::bigint as serial, change.revision
    from change cross join lateral json_each_text(change.serials) as said
    where change.revision is not null order by said.key, change.revision desc) as given
  join zone on zone.account_id = given.account_id and zone.id = given.id and zone.serial <> given.serial
  order by zone.zone`;

export interface WrongCount {
  readonly account_id: string;
  readonly kept: number;
  readonly counted: number;
}

/** A statement for `read`: the cells of live values by account. */
export const wrongCellsText = `
  select account_id, coalesce(account_cells.cells, 0) as kept, coalesce(counted.cells, 0) as counted
  from account_cells full join (
    select account_id, sum(cells)::bigint as cells from feed group by account_id) as counted using (account_id)
  where coalesce(account_cells.cells, 0) <> coalesce(counted.cells, 0)
  order by account_id`;

/** The statement that corrects the count. */
export const correction = ({ account_id, counted }: WrongCount) =>
  `insert into account_cells values ('${account_id}', ${counted}) on conflict (account_id) do update set cells = ${counted}`;

type SealedTable = keyof typeof sealedColumns;
export const sealedTables = Object.keys(sealedColumns) as readonly SealedTable[];

/** A statement for `read` with rows of `TextRow`. */
export function secretsText(table: SealedTable): string {
  const { column, id, key = id } = sealedColumns[table]!;
  const columns = [...new Set(["account_id", id, key])].map((name) => `"${name}"`);
  return `select ${columns.join(", ")}, "${column}"::text from "${table}" where "${column}" is not null`;
}

export const idOfSecret = (table: SealedTable, row: TextRow): string => row[sealedColumns[table]!.id] ?? "";

/** One of the last changes of a zone, the newest first. */
export interface LastChange {
  readonly account_id: string;
  readonly zone_id: string;
  readonly zone: string;
  readonly serial: number;
  /** Entries of the history; null if it has none of this change, or if they are large. */
  readonly removed: readonly unknown[] | null;
  readonly added: readonly unknown[] | null;
}

/** Changes of a zone that are compared. */
const lastChanges = 10;
/** Octets of a change that is compared. */
const mostOctets = 200_000;
const isSmall = `octet_length(history.removed::text) + octet_length(history.added::text) <= ${mostOctets}`;

/**
 * A statement for `read`. Leaves out zones with changes without numbers, which are not in the order of versions, and those
 * that were transferred in: the first transfer is not in the history.
 */
export const lastChangesText = `
  select zone.account_id, zone.id as zone_id, zone.zone, newest.serial, newest.removed, newest.added
  from zone cross join lateral (
    select given.serial, given.revision, case when ${isSmall} then history.removed end as removed,
      case when ${isSmall} then history.added end as added
    from zone_serial as given left join ${historyOfSerial}
    where given.account_id = zone.account_id and given.zone_id = zone.id
    order by given.revision desc limit ${lastChanges}) as newest
  where (zone.secondary ->> 'enabled') is distinct from 'true' and not zone.was_secondary
    and zone.id not in (select json_array_elements_text(zone_ids) from change where revision is null)
  order by zone.account_id, zone.id, newest.revision desc`;

export interface RecordKey {
  readonly account_id: string;
  readonly zone_id: string;
  readonly domain: string;
  readonly type: string;
}

/** The records with these keys that exist. */
export const recordsAt = (store: BulkConnection, keys: readonly RecordKey[]) =>
  store.rows<RecordState & RecordKey>(
    `select record.account_id, ${listed(recordColumns).replaceAll(/("\w+")/g, "record.$1")}
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as key (account_id, zone_id, domain, type)
     join record on record.account_id = key.account_id and record.zone_id = key.zone_id
       and record.domain = key.domain and record.type = key.type`,
    [
      keys.map(({ account_id }) => account_id),
      keys.map(({ zone_id }) => zone_id),
      keys.map(({ domain }) => domain),
      keys.map(({ type }) => type),
    ],
  );
