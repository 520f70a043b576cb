/** A zone as replies, edges and its history see it. */
import type { ZoneEntry } from "../versions/entry.ts";
import type { ZoneFields } from "./fields.ts";
import type { Zone, ZoneOnly } from "./schema.ts";
import type { ZoneRow } from "./store.ts";

export function zoneReply(row: ZoneRow, records: Zone["records"]): Zone {
  const { head, tail } = parts(row);
  return records === undefined ? { ...head, ...tail } : { ...head, records, ...tail };
}

export function zoneOnly(row: ZoneRow): ZoneOnly {
  const { head, tail } = parts(row);
  return { ...head, ...tail };
}

/** The fields before and after the records, in the order of the schema. */
function parts(row: ZoneRow) {
  const head = {
    nx_ttl: row.nx_ttl,
    retry: row.retry,
    zone: row.zone,
    dnssec: row.dnssec,
    network_pools: row.network_pools,
    primary: row.primary,
    refresh: row.refresh,
    expiry: row.expiry,
    dns_servers: row.dns_servers,
  };
  const tail = {
    meta: row.meta,
    link: row.link,
    serial: row.serial,
    ttl: row.ttl,
    id: row.id,
    hostmaster: row.hostmaster,
    networks: [...row.networks],
    pool: row.pool,
    disabled: row.disabled,
    primary_master: row.primary_master,
    secondary: row.secondary,
    tags: row.tags,
    local_tags: row.local_tags,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
  return { head, tail };
}

export const fieldsOf = (row: ZoneRow): ZoneFields => ({
  ttl: row.ttl,
  refresh: row.refresh,
  retry: row.retry,
  expiry: row.expiry,
  nx_ttl: row.nx_ttl,
  hostmaster: row.hostmaster,
  primary_master: row.primary_master,
  networks: row.networks,
  dns_servers: row.dns_servers,
  network_pools: row.network_pools,
  pool: row.pool,
  disabled: row.disabled,
  meta: row.meta,
  tags: row.tags,
  local_tags: row.local_tags,
});

/** What a zone's history keeps of its own fields. */
export const zoneHistory = (row: ZoneRow): ZoneEntry => ({
  kind: "zone",
  zone: { id: row.id, zone: row.zone, ...fieldsOf(row), created_at: row.created_at, updated_at: row.updated_at },
});
