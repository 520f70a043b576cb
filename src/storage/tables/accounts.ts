/** Accounts, and what lets callers into them: keys, teams and allow lists. */
import type { ColumnType, Generated } from "kysely";
import type { Int8, Json } from "./columns.ts";

export interface AccountTable {
  id: string;
  name: string;
  plan: string;
  /** Whether the account may sign zones. */
  dnssec: boolean;
  created: Int8;
  contact: ColumnType<Record<string, unknown>, string | undefined, string>;
  usage_warnings: ColumnType<Record<string, unknown>, string | undefined, string>;
  /** Whether every user needs a second factor. */
  second_factor_required: Generated<boolean>;
  /** Since when its keys are refused; null while they are not. */
  suspended_at: ColumnType<number | null, number | null | undefined, number | null>;
}

export interface ApiKeyTable {
  account_id: string;
  id: string;
  name: string;
  /** Envelope of the secrets kit; context `api_key.secret:<id>`. Null for a key that has expiring secrets alone. */
  secret: string | null;
  /** Days for which a new secret of the key counts; null for a key that does not expire. */
  expiry_days: number | null;
  permissions: Json<Record<string, unknown>>;
  ip_whitelist: Json<readonly string[]>;
  ip_whitelist_strict: boolean;
  teams: Json<readonly string[]>;
  created: Int8;
  last_access: ColumnType<number | null, number | null, number | null>;
}

/** What opens the account beside, or in the place of, a key's own string, until a time. */
export interface ApiKeySecretTable {
  account_id: string;
  key_id: string;
  id: string;
  /** Envelope of the secrets kit; context `api_key_secret.secret:<id>`. */
  secret: string;
  /** Unix seconds. */
  expires_at: Int8;
  enabled: boolean;
  last_access: ColumnType<number | null, number | null, number | null>;
}

/** Claim tables hold names that are unique over all accounts; they carry no account in their key. */
export interface KeyClaimTable {
  /** Keyed hash of the key string. */
  hash: string;
  account_id: string;
  key_id: string;
  /** The secret of the key that it is; null for the key's own string. */
  secret_id: ColumnType<string | null, string | null | undefined, string | null>;
}

/** Members name their teams themselves, in `api_key.teams`. */
export interface TeamTable {
  account_id: string;
  id: string;
  name: string;
  permissions: Json<Record<string, unknown>>;
  ip_whitelist: Json<readonly AllowEntry[]>;
  created: Int8;
}

/** Addresses under a name, from which members of a team are let in. */
export interface AllowEntry {
  readonly id: string;
  readonly name: string;
  readonly values: readonly string[];
}

/** Addresses from which the keys of an account may be used; lists that hold none do not count. */
export interface AllowListTable {
  account_id: string;
  id: string;
  name: string;
  values: Json<readonly string[]>;
}
