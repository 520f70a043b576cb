/** Zones that are loaded as a whole: records written out of sight, and the parts from which edges take them. */
import { sql } from "kysely";
import type { Migration } from "kysely/migration";

const name = `text collate "C" not null`;

const defaults = {
  tier: "1",
  ...{ use_client_subnet: "true", override_ttl: "false", override_address_records: "false" },
  ...{ filters: "'[]'", regions: "'{}'", meta: "'{}'", feeds: "'[]'" },
  ...{ tags: "'{}'", local_tags: "'[]'", blocked_tags: "'[]'" },
};

const statements = [
  `create table zone_load (
     account_id ${name}, id ${name}, zone_id ${name}, holder ${name},
     primary key (account_id, id))`,
  "create index zone_load_zone on zone_load (zone_id)",
  `create table change_part (
     load_id ${name}, part integer not null, body bytea not null,
     primary key (load_id, part))`,
  // octets that hardly get smaller are not worth the time
  "alter table change_part alter column body set storage external",
  `alter table record ${Object.entries(defaults)
    .map(([column, value]) => `alter column ${column} set default ${value}`)
    .join(", ")}`,
];

export const loads: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
