/** The tables of accounts and of access to them: keys, teams and allow lists. */
import type { ColumnType, Generated } from "kysely";
import type { Int8, Json } from "./columns.ts";

/**
 * The requests to which the guard against deletions applies: none, those that delete several things, or also those that
 * delete one.
 */
export type GuardScope = "off" | "many" | "single";

export interface AccountTable {
  id: string;
  name: string;
  /** Whether the account may sign zones. */
  dnssec: boolean;
  created: Int8;
  contact: ColumnType<Record<string, unknown>, string | undefined, string>;
  usage_warnings: ColumnType<Record<string, unknown>, string | undefined, string>;
  /** Whether every user needs a second factor. */
  second_factor_required: Generated<boolean>;
  /** Null for the scope of the service. */
  deletion_guard: ColumnType<GuardScope | null, GuardScope | null | undefined, GuardScope | null>;
  /** The time since which the account's keys are refused; null for an active account. */
  suspended_at: ColumnType<number | null, number | null | undefined, number | null>;
  /** Whether rights over the whole installation have an effect in this account. */
  operator: Generated<boolean>;
  /** The account's own limits; null for those of the table of limits. */
  quota: ColumnType<AccountQuota | null, string | null | undefined, string | null>;
}

/** At most so many; null for no limit. */
export interface AccountQuota {
  readonly zones: number | null;
  readonly records: number | null;
  /** Octets of answers, filters, regions, metadata and tags. */
  readonly octets: number | null;
  /** Octets of history, and as many of the activity log; left out in rows that are older than this limit. */
  readonly kept?: number | null;
}

export interface ApiKeyTable {
  account_id: string;
  id: string;
  name: string;
  /** An envelope of the secrets kit; context `api_key.secret:<id>`. Null for a key with expiring secrets only. */
  secret: string | null;
  /** The days for which a new secret of the key is valid; null for a key that does not expire. */
  expiry_days: number | null;
  permissions: Json<Record<string, unknown>>;
  ip_whitelist: Json<readonly string[]>;
  ip_whitelist_strict: boolean;
  teams: Json<readonly string[]>;
  /** Null for the scope of the account. */
  deletion_guard: ColumnType<GuardScope | null, GuardScope | null | undefined, GuardScope | null>;
  created: Int8;
  last_access: ColumnType<number | null, number | null, number | null>;
}

/** Expiring secrets of a key, valid besides or instead of the key's own string. */
export interface ApiKeySecretTable {
  account_id: string;
  key_id: string;
  id: string;
  /** An envelope of the secrets kit; context `api_key_secret.secret:<id>`. */
  secret: string;
  /** Unix seconds. */
  expires_at: Int8;
  enabled: boolean;
  last_access: ColumnType<number | null, number | null, number | null>;
}

/** Claim tables contain names that are unique over all accounts, so their primary keys have no account. */
export interface KeyClaimTable {
  /** The keyed hash of the key string. */
  hash: string;
  account_id: string;
  key_id: string;
  /** The id of the key's secret; null for the key's own string. */
  secret_id: ColumnType<string | null, string | null | undefined, string | null>;
}

/** Membership is stored with the members, in `api_key.teams` and `account_user.teams`. */
export interface TeamTable {
  account_id: string;
  id: string;
  name: string;
  permissions: Json<Record<string, unknown>>;
  ip_whitelist: Json<readonly AllowEntry[]>;
  created: Int8;
}

/** A named list of addresses from which members of a team may connect. */
export interface AllowEntry {
  readonly id: string;
  readonly name: string;
  readonly values: readonly string[];
}

/** Addresses from which the keys of an account may be used; empty lists are ignored. */
export interface AllowListTable {
  account_id: string;
  id: string;
  name: string;
  values: Json<readonly string[]>;
}
