/** The tables of zones, claims of names, and deleted zones. */
import type { ColumnType, Selectable } from "kysely";
import type { PrimarySettings, SecondarySettings } from "../../sync/peers.ts";
import type { Int8, Json } from "./columns.ts";
import type { CatalogSettings, CatalogState, TransferState } from "./transfers.ts";

export interface ZoneTable {
  account_id: string;
  id: string;
  zone: string;
  /** The name with its A-labels in Unicode; null if it has none. */
  unicode: ColumnType<string | null, string | null | undefined, never>;
  view: string;
  ttl: number;
  refresh: number;
  retry: number;
  expiry: number;
  nx_ttl: number;
  hostmaster: string;
  primary_master: string;
  /** Assigned by the sequencer with the revision. 0 to 2^32-1. */
  serial: Int8;
  /** The epoch of the serial; by default that of the store. */
  epoch: ColumnType<number, number | undefined, never>;
  networks: Json<readonly number[]>;
  dns_servers: Json<readonly string[]>;
  network_pools: Json<readonly string[]>;
  /** The last pool in each network that the zone has left, by the network's id. */
  former_pools: ColumnType<Readonly<Record<string, string>>, string | undefined, string>;
  pool: string | null;
  link: string | null;
  dnssec: boolean;
  disabled: boolean;
  meta: Json<Record<string, unknown>>;
  primary: Json<PrimarySettings>;
  secondary: Json<SecondarySettings | null>;
  /** An envelope of the secret of `secondary.tsig`; context `zone.secondary_key:<id>`. */
  secondary_key: ColumnType<string | null, string | null | undefined, string | null>;
  /** The zone was secondary once: replies show that it is no longer. */
  was_secondary: ColumnType<boolean, boolean | undefined, boolean>;
  /** The time of the next refresh of a secondary zone; null for all other zones. */
  refresh_at: ColumnType<number | null, number | null | undefined, number | null>;
  /** The state of the zone's transfers. */
  transfer: ColumnType<TransferState | null, string | null | undefined, string | null>;
  /** The zone cannot be served: it was never transferred, or has expired. */
  expired: ColumnType<boolean, boolean | undefined, boolean>;
  catalog: ColumnType<CatalogSettings | null, string | null | undefined, string | null>;
  /** The id of the catalog zone of which the zone is a member. */
  catalog_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** The state of following the catalog; only for consumers. */
  catalog_state: ColumnType<CatalogState | null, string | null | undefined, string | null>;
  /** The time at which the catalog's zones are next updated from it; null when they are current. */
  follow_at: ColumnType<number | null, number | null | undefined, number | null>;
  /** The zone is for transfers only; queries are not answered. */
  hidden: ColumnType<boolean, boolean | undefined, boolean>;
  /** The zone is disabled because its account is suspended, not by the account's choice. */
  withheld: ColumnType<boolean, boolean | undefined, boolean>;
  tags: Json<Record<string, unknown>>;
  local_tags: Json<readonly string[]>;
  created_at: Int8;
  updated_at: Int8;
}

/** A zone as statements read it. A new zone leaves out what the store gives it: the epoch, and its name in Unicode. */
export type ZoneRow = Omit<Selectable<ZoneTable>, "epoch" | "unicode"> &
  Partial<Pick<Selectable<ZoneTable>, "epoch" | "unicode">>;

/** What the parent of a zone said about its delegation. */
export interface ZoneDelegationTable {
  account_id: string;
  zone_id: string;
  /** The time of the next look. */
  due_at: Int8;
  /** The time of the last look; null before the first. */
  looked_at: ColumnType<number | null, number | null | undefined, number | null>;
  state: ColumnType<string | null, string | null | undefined, string | null>;
  asked: ColumnType<string | null, string | null | undefined, string | null>;
  /** The servers that the parent names, with their addresses. */
  found: ColumnType<readonly (readonly [string, readonly string[]])[] | null, string | null | undefined, string | null>;
}

export interface ZoneClaimTable {
  view: string;
  fqdn: string;
  /** The registrable domain of `fqdn`, or `fqdn` itself without one; ancestors are looked up by this column. */
  registrable: string;
  account_id: string;
  zone_id: string;
}

/** Locked while a zone at or below the domain is created, so that concurrent creations by two accounts are ordered. */
export interface DomainClaimTable {
  domain: string;
}

/** A deleted zone; its records and owner names remain until it is removed permanently. */
export interface DeletedZoneTable {
  account_id: string;
  id: string;
  zone: string;
  /** Still updated, since changes from before the deletion can be numbered after it. */
  serial: Int8;
  /** The former row of `zone`. */
  fields: Json<ZoneRow>;
  records: Int8;
  deleted_at: Int8;
  /** The zone can be restored until then, and its name stays with the account. */
  kept_until: Int8;
  /** The author of the deletion, as in the activity log. */
  user_id: string;
  user_name: string;
  user_type: string;
}
