/** Feeds know the metadata keys that records name, and the cells that their values take; accounts the sum of their cells. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const keys = [
  ...["up", "connections", "requests", "loadavg", "loadAvg", "pulsar", "latitude", "longitude", "georegion", "country"],
  ...["us_state", "ca_province", "subdivisions", "note", "ip_prefixes", "asn", "priority", "weight", "cost"],
  ...["low_watermark", "high_watermark", "additional_metadata"],
];

const statements: readonly string[] = [
  // a value takes a cell for each 64 octets of its JSON; other keys than those of metadata never reach an edge
  `create function cells_of(data json) returns integer language sql immutable parallel safe as $$
     select coalesce(sum((octet_length(value::text) + 63) / 64), 0)::integer
     from json_each(coalesce(data, '{}')) where key = any('{${keys}}') $$`,
  `alter table feed
     add column named text[] not null default '{}',
     add column cells integer generated always as (cells_of(data) + cells_of(fallback)) stored`,
  'create table account_cells (account_id text collate "C" primary key, cells bigint not null)',
  `create function all_cells() returns bigint language sql stable as $$
     select coalesce(sum(cells), 0)::bigint from account_cells $$`,
  "insert into account_cells select account_id, sum(cells) from feed group by account_id having sum(cells) > 0",
  ...counted("insert", "new table as after"),
  ...counted("update", "old table as before new table as after"),
  ...counted("delete", "old table as before"),
];

/** A trigger that counts the cells of an account's feeds once for each statement. */
function counted(event: "insert" | "update" | "delete", tables: string): string[] {
  const before = "select account_id, -cells::bigint as cells from before";
  const after = "select account_id, cells::bigint from after";
  const rows = { insert: after, update: `${before} union all ${after}`, delete: before }[event];
  return [
    `create function count_cells_on_${event}() returns trigger language plpgsql as $$ begin
       insert into account_cells
         select account_id, sum(cells) from (${rows}) as rows group by account_id having sum(cells) <> 0
         order by account_id
       on conflict (account_id) do update set cells = account_cells.cells + excluded.cells;
       return null;
     end $$`,
    `create trigger count_cells_on_${event} after ${event} on feed referencing ${tables}
       for each statement execute function count_cells_on_${event}()`,
  ];
}

/** Fills `named` from the records. */
const fillNamed = `
  update feed set named = found.keys
  from (
    select destination.account_id, destination.feed_id, array_agg(distinct spelling) as keys
    from destination
    join record on record.account_id = destination.account_id and record.zone_id = destination.zone_id
      and record.id = destination.record_id
    cross join lateral (
      select value -> 'meta' as meta from json_array_elements(record.answers)
      union all select value -> 'meta' from json_each(record.regions) where json_typeof(value) = 'object'
      union all select record.meta) as tables
    cross join lateral json_each(case json_typeof(tables.meta) when 'object' then tables.meta else '{}' end) as field
    cross join lateral unnest(
      case when lower(field.key) = 'loadavg' then '{loadavg,loadAvg}' else array[field.key] end) as spelling
    where json_typeof(field.value) = 'object' and field.value ->> 'feed' = destination.feed_id
    group by destination.account_id, destination.feed_id) as found
  where feed.account_id = found.account_id and feed.id = found.feed_id`;

export const feedCells: Migration = {
  async up(db) {
    for (const statement of [...statements, fillNamed]) await sql.raw(statement).execute(db);
  },
};
