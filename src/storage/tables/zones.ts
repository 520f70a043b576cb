/** Zones, their names, and those that were deleted. */
import type { ColumnType, Selectable } from "kysely";
import type { PrimarySettings, SecondarySettings } from "../../sync/peers.ts";
import type { Int8, Json } from "./columns.ts";
import type { CatalogSettings, CatalogState, TransferState } from "./transfers.ts";

export interface ZoneTable {
  account_id: string;
  id: string;
  zone: string;
  view: string;
  ttl: number;
  refresh: number;
  retry: number;
  expiry: number;
  nx_ttl: number;
  hostmaster: string;
  primary_master: string;
  /** Given by the sequencer, with the revision. 0 to 2^32-1. */
  serial: Int8;
  networks: Json<readonly number[]>;
  dns_servers: Json<readonly string[]>;
  network_pools: Json<readonly string[]>;
  pool: string | null;
  link: string | null;
  dnssec: boolean;
  disabled: boolean;
  meta: Json<Record<string, unknown>>;
  primary: Json<PrimarySettings>;
  secondary: Json<SecondarySettings | null>;
  /** Envelope of the secret of `secondary.tsig`; context `zone.secondary_key:<id>`. */
  secondary_key: ColumnType<string | null, string | null | undefined, string | null>;
  /** When a zone that is transferred from others is looked at next; null for all other zones. */
  refresh_at: ColumnType<number | null, number | null | undefined, number | null>;
  /** What came of the transfers. */
  transfer: ColumnType<TransferState | null, string | null | undefined, string | null>;
  /** There is nothing to serve: it was never transferred, or is too old. */
  expired: ColumnType<boolean, boolean | undefined, boolean>;
  catalog: ColumnType<CatalogSettings | null, string | null | undefined, string | null>;
  /** The catalog zone of which it is a member. */
  catalog_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** What came of following the catalog; only of consumers. */
  catalog_state: ColumnType<CatalogState | null, string | null | undefined, string | null>;
  /** When the zones of a catalog are made what it says; null when they are. */
  follow_at: ColumnType<number | null, number | null | undefined, number | null>;
  /** It is for those alone who transfer it. */
  hidden: ColumnType<boolean, boolean | undefined, boolean>;
  /** It is disabled because its account is suspended, not because the account wants it. */
  withheld: ColumnType<boolean, boolean | undefined, boolean>;
  tags: Json<Record<string, unknown>>;
  local_tags: Json<readonly string[]>;
  created_at: Int8;
  updated_at: Int8;
}

/** A zone as statements read it. */
export type ZoneRow = Selectable<ZoneTable>;

export interface ZoneClaimTable {
  view: string;
  fqdn: string;
  /** Registrable domain of fqdn (or fqdn itself where there is none), under which ancestors are looked for. */
  registrable: string;
  account_id: string;
  zone_id: string;
}

/** Locked while a zone below (or at) it is created, so that two accounts cannot pass each other. */
export interface DomainClaimTable {
  domain: string;
}

/** A zone that was deleted; its records and owner names are there until it is removed for good. */
export interface DeletedZoneTable {
  account_id: string;
  id: string;
  zone: string;
  /** Changes from before the deletion may be numbered after it. */
  serial: Int8;
  /** The row of `zone`. */
  fields: Json<ZoneRow>;
  records: Int8;
  deleted_at: Int8;
  /** Until then it can be brought back, and the name is its account's. */
  kept_until: Int8;
  /** Who deleted it, as in the activity log. */
  user_id: string;
  user_name: string;
  user_type: string;
}
