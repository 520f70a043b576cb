/** The store's tables as types; the migrations make them. Columns keep the API's spelling. */
import type { ColumnType, Generated, Selectable } from "kysely";
import type { PrimarySettings, SecondarySettings } from "../sync/peers.ts";

/** A JSON document kept as text-preserving `json`: keys come back in the order in which they were sent. */
export type Json<T> = ColumnType<T, string, string>;
/** `bigint`, read as a number: serials, revisions, Unix seconds. */
export type Int8 = ColumnType<number, number | bigint, number | bigint>;

export interface Tables {
  account: AccountTable;
  account_user: UserTable;
  user_credential: UserCredentialTable;
  recovery_code: RecoveryCodeTable;
  user_token: UserTokenTable;
  user_session: UserSessionTable;
  sign_in_guess: SignInGuessTable;
  api_key: ApiKeyTable;
  api_key_secret: ApiKeySecretTable;
  allow_list: AllowListTable;
  team: TeamTable;
  key_claim: KeyClaimTable;
  login_claim: LoginClaimTable;
  zone_claim: ZoneClaimTable;
  domain_claim: DomainClaimTable;
  zone: ZoneTable;
  deleted_zone: DeletedZoneTable;
  owner: OwnerTable;
  record: RecordTable;
  source: SourceTable;
  feed: FeedTable;
  destination: DestinationTable;
  activity: ActivityTable;
  idempotency: IdempotencyTable;
  change: ChangeTable;
  change_load: ChangeLoadTable;
  change_part: ChangePartTable;
  zone_load: ZoneLoadTable;
  import_job: ImportJobTable;
  zone_history: ZoneHistoryTable;
  zone_serial: ZoneSerialTable;
  saved_version: SavedVersionTable;
  live_change: LiveChangeTable;
  sequencer: SequencerTable;
  follower: FollowerTable;
  lease: LeaseTable;
  setting: SettingTable;
  usage: UsageTable;
  tsig_key: TsigKeyTable;
  usage_reporter: UsageReporterTable;
  mail: MailTable;
}

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

export interface UserTable {
  account_id: string;
  id: string;
  username: string;
  email: string;
  name: string;
  permissions: Json<Record<string, unknown>>;
  teams: ColumnType<readonly string[], string | undefined, string>;
  ip_whitelist: ColumnType<readonly string[], string | undefined, string>;
  ip_whitelist_strict: ColumnType<boolean, boolean | undefined, boolean>;
  notify: ColumnType<Record<string, unknown>, string | undefined, string>;
  shared_auth: ColumnType<Record<string, unknown>, string | undefined, string>;
  created: Int8;
  last_access: ColumnType<number | null, number | null, number | null>;
}

/** How a user proves to be that user; not there before the first password. */
export interface UserCredentialTable {
  account_id: string;
  user_id: string;
  /** As argon2 writes it, with its parameters. */
  password: string | null;
  /** Envelope of the secrets kit; context `user_credential.totp:<user_id>`. */
  totp: string | null;
  /** null until a code has shown that the secret has arrived. */
  totp_since: ColumnType<number | null, number | null, number | null>;
  /** The latest step of time whose code was taken: no code of this one or an earlier one is taken any more. */
  totp_step: Int8;
}

/** What opens once, instead of a code. */
export interface RecoveryCodeTable {
  account_id: string;
  user_id: string;
  /** SHA-256, which no master key changes: nobody could be given new codes unasked. */
  hash: string;
}

/** What was sent to a user to set a password with. */
export interface UserTokenTable {
  account_id: string;
  user_id: string;
  kind: string;
  /** Keyed hash of the token. */
  hash: string;
  expires_at: Int8;
}

export interface UserSessionTable {
  account_id: string;
  user_id: string;
  /** What the session is called where they are listed: not what the cookie holds. */
  id: string;
  /** Keyed hash of what the cookie holds. */
  hash: string;
  stage: "full" | "second_factor";
  created: Int8;
  used_at: Int8;
  address: string;
  agent: string;
}

/** Guesses at one login name, at one second factor, or from one address. */
export interface SignInGuessTable {
  subject: string;
  /** Milliseconds since the Unix epoch: when all guesses are allowed again. */
  full_at: Int8;
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

/** Addresses from which the keys of an account may be used; lists that hold none do not count. */
export interface AllowListTable {
  account_id: string;
  id: string;
  name: string;
  values: Json<readonly string[]>;
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

/** Claim tables hold names that are unique over all accounts; they carry no account in their key. */
export interface KeyClaimTable {
  /** Keyed hash of the key string. */
  hash: string;
  account_id: string;
  key_id: string;
  /** The secret of the key that it is; null for the key's own string. */
  secret_id: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface LoginClaimTable {
  login: string;
  account_id: string;
  user_id: string;
}

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

/**
 * What a zone has to do with catalog zones (RFC 9432): it is one of ours, it is one that others made and we follow, it
 * is listed in one of ours, or it was made because one of theirs lists it.
 */
export type CatalogSettings =
  | { readonly role: "producer" }
  /** `confirmed` stands for the removals that a person has agreed to. */
  | { readonly role: "consumer"; readonly confirmed?: string }
  | (CatalogListing & { readonly role: "member" })
  /** `node` is the label under which the catalog lists it. */
  | (CatalogListing & { readonly role: "consumed"; readonly node: string });

export interface CatalogListing {
  /** Name of the catalog zone. */
  readonly of: string;
  readonly groups: readonly string[];
  /** Name of the catalog that may take the zone over. */
  readonly coo: string | null;
}

/** How following a catalog goes. */
export interface CatalogState {
  /** Zones that it lists, of the last time when it was not broken. */
  readonly members: number;
  /** Of the version that was followed last; -1 for none. */
  readonly serial: number;
  /** What is wrong with it: its zones stay as they are. */
  readonly error: string | null;
  /** What it lists and is not followed in, the first of them. */
  readonly skipped: readonly { readonly zone: string; readonly reason: string }[];
  /** Removals that wait to be confirmed: all of them as a digest, and the first by name. */
  readonly held: { readonly digest: string; readonly count: number; readonly zones: readonly string[] } | null;
  /** Unix seconds; 0 for never. */
  readonly followed_at: number;
}

/** A zone that was deleted; its records and owner names are there until it is removed for good. */
export interface DeletedZoneTable {
  account_id: string;
  id: string;
  zone: string;
  /** Changes from before the deletion may be numbered after it. */
  serial: Int8;
  /** The row of `zone`. */
  fields: Json<ZoneFieldsKept>;
  records: Int8;
  deleted_at: Int8;
  /** Until then it can be brought back, and the name is its account's. */
  kept_until: Int8;
  /** Who deleted it, as in the activity log. */
  user_id: string;
  user_name: string;
  user_type: string;
}
export type ZoneFieldsKept = Selectable<ZoneTable>;
/** How the transfers of a zone go. Times in Unix seconds, 0 for never. */
export interface TransferState {
  readonly last_try: number;
  readonly last_xfr: number;
  readonly error: string | null;
  /** The zone is as old as may be then. */
  readonly expires_at: number;
  /** Looks in a row that failed. */
  readonly failures: number;
}

/**
 * One row for each owner name that has records: locked by a write at that name, so that rules over all types of a name
 * (CNAME alone, limits) hold without locking the zone. Where it is not there, the write that needs it makes it.
 */
export interface OwnerTable {
  account_id: string;
  zone_id: string;
  domain: string;
}

export interface RecordTable {
  account_id: string;
  zone_id: string;
  domain: string;
  type: string;
  id: string;
  ttl: number;
  tier: number;
  link: string | null;
  use_client_subnet: boolean;
  override_ttl: boolean;
  override_address_records: boolean;
  answers: Json<readonly StoredAnswer[]>;
  filters: Json<readonly StoredFilter[]>;
  /** What is served when no answer is up; null for the answers at hand. */
  all_down: ColumnType<StoredAllDown | null, string | null | undefined, string | null>;
  /** The largest share of the answers, 0 to 1, that live data may remove; null for all. */
  live_guard: ColumnType<number | null, number | null | undefined, number | null>;
  regions: Json<Record<string, unknown>>;
  meta: Json<Record<string, unknown>>;
  /** The feeds that the metadata takes values from, each once. */
  feeds: Json<readonly BoundFeed[]>;
  tags: Json<Record<string, unknown>>;
  local_tags: Json<readonly string[]>;
  blocked_tags: Json<readonly string[]>;
  created_at: Int8;
  updated_at: Int8;
}

/** Ids of a feed and of its source. */
export interface BoundFeed {
  readonly source: string;
  readonly feed: string;
}

export interface StoredFilter {
  readonly filter: string;
  readonly config?: Readonly<Record<string, unknown>> | null;
  readonly disabled?: unknown;
}

export interface StoredAllDown {
  readonly policy: "serve_all" | "last_healthy" | "group" | "nothing";
  /** Name of a region. */
  readonly group?: string;
}

export interface StoredAnswer {
  id: string;
  answer: readonly (string | number)[];
  meta?: Record<string, unknown>;
  region?: string;
}

export interface SourceTable {
  account_id: string;
  /** 32 hex digits. */
  id: string;
  name: string;
  sourcetype: string;
  config: Json<Record<string, unknown>>;
  status: string;
  /** Grows when a feed comes, goes or changes its label: what a process remembers of the source holds until then. */
  version: Int8;
  created_at: Int8;
}

export interface FeedTable {
  account_id: string;
  /** 24 hex digits. */
  id: string;
  source_id: string;
  name: string;
  /** What a push calls the feed, taken from its configuration; null where the source type has no such thing. */
  label: string | null;
  config: Json<Record<string, unknown>>;
  /** The table that was pushed last, as it was sent; empty before the first push. */
  data: Json<Record<string, unknown>>;
  /** Unix milliseconds of the last push. */
  pushed_at: ColumnType<number | null, number | null, number | null>;
  /** Seconds after which the values count no longer. */
  max_age: ColumnType<number | null, number | null, number | null>;
  /** What counts instead of values that are too old. */
  fallback: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  created_at: Int8;
}

/** A place in metadata that takes its value from a feed; written with the record that has the metadata. */
export interface DestinationTable {
  account_id: string;
  zone_id: string;
  record_id: string;
  /** `answer`, `region` or `record`. */
  desttype: string;
  /** Id of the answer, name of the region, or id of the record. */
  destid: string;
  feed_id: string;
}

export interface ActivityTable {
  account_id: string;
  id: string;
  timestamp: Int8;
  resource_type: string;
  resource_id: string;
  user_id: string;
  user_name: string;
  /** `apikey`, `user` or `system`. */
  user_type: string;
  action: string;
  address: string | null;
  resource: Json<unknown>;
  /** Of a change, the fields of the resource that it changed, as they were; else null. */
  before: ColumnType<unknown, string | null | undefined, string | null>;
}

/** Answers already given, so that a request sent again with the same Idempotency-Key is not done twice. */
export interface IdempotencyTable {
  account_id: string;
  key: string;
  /** SHA-256 of method, path and body. */
  request: string;
  status: number;
  body: string;
  created: Int8;
}

/** The outbox of the change stream: rows are inserted last in their transaction, after every lock is held. */
export interface ChangeTable {
  /**
   * From a sequence, drawn after the transaction's locks are held: of two transactions that met at a lock the later one
   * has the larger number, though numbers in all are not in order of commit.
   */
  seq: Generated<number>;
  id: string;
  account_id: string;
  zone_ids: Json<readonly string[]>;
  /** The changes as JSON text, or a load reference. */
  body: string;
  is_load: boolean;
  created: Int8;
  /** Given after commit by the sequencer; null until then. */
  revision: ColumnType<number | null, null, number>;
  previous: ColumnType<number | null, null, number>;
  serials: ColumnType<Record<string, number> | null, null, string>;
  /** By zone id: serials that another server gave, or null for a zone that keeps the one it has. */
  given: ColumnType<Record<string, number | null> | null, string | null | undefined, never>;
}

export interface ChangeLoadTable {
  id: string;
  checksum: string;
  body: string;
  created: Int8;
}

/** A part of the contents of a zone; `sync/contents.ts` says what it looks like. */
export interface ChangePartTable {
  /** Also the id of the change that refers to it. */
  load_id: string;
  /** From 0. */
  part: number;
  body: Uint8Array;
}

/** A load that no change refers to yet: its records and parts are in the store, and nobody sees them. */
export interface ZoneLoadTable {
  id: string;
  account_id: string;
  /** Under which the records stand in `record`: of no zone yet. */
  zone_id: string;
  /** The process that goes on with it; see `presence.ts`. */
  holder: string;
}

/** An import that nobody waits for. */
export interface ImportJobTable {
  account_id: string;
  id: string;
  /** FQDN. */
  zone: string;
  /** Unix seconds. */
  sent: Int8;
  percent: number;
  status: string;
  /** The process that goes on with it; see `presence.ts`. */
  holder: string;
  /** Null while it goes on. */
  response_code: ColumnType<number | null, number | null | undefined, number | null>;
  response: ColumnType<object | null, string | null | undefined, string | null>;
}

/** The one history of a zone: what each change removed and added. Its place in the order is in `zone_serial`. */
export interface ZoneHistoryTable {
  account_id: string;
  zone_id: string;
  change_id: string;
  at: Int8;
  removed: Json<readonly unknown[]>;
  added: Json<readonly unknown[]>;
  /** Who made it, as in the activity log; null for what is older than these columns. */
  user_id: string | null;
  user_name: string | null;
  user_type: string | null;
  /** Resource and action of the activity entry. */
  action: string | null;
  /** The serial that the zone was brought back to. */
  restored: ColumnType<number | null, number | null, number | null>;
}

/** Which change gave a zone a serial: written by the sequencer, once for each change and zone. */
export interface ZoneSerialTable {
  account_id: string;
  zone_id: string;
  serial: Int8;
  change_id: string;
  /** Serials go round in a circle: this is the order of a zone's versions. */
  revision: Int8;
}

/** Versions that somebody gave a name to: they, and what came after, stay as long as the zone. */
export interface SavedVersionTable {
  account_id: string;
  zone_id: string;
  serial: Int8;
  name: string;
  created_at: Int8;
}

/** Batches of live values on their way to the edges; the values themselves stand in `feed`. */
export interface LiveChangeTable {
  /** Drawn in the transaction that stores the batch, without gaps. */
  revision: Int8;
  previous: Int8;
  /** The values as JSON text. */
  body: string;
  created: Int8;
}

/** The revision given last, by subject of a stream. */
export interface SequencerTable {
  subject: string;
  revision: Int8;
}

export interface FollowerTable {
  id: string;
  revision: Int8;
  seen_at: Int8;
}

/** `token` grows with each new holder and fences off one that has lost the lease without noticing. */
export interface LeaseTable {
  name: string;
  holder: string;
  token: Int8;
  expires_at: Int8;
}

export interface SettingTable {
  name: string;
  value: string;
}

/** A key that signs DNS messages. */
export interface TsigKeyTable {
  account_id: string;
  /** Lower case, no final dot. */
  name: string;
  algorithm: string;
  /** Envelope of the secrets kit, of the secret in base64; context `tsig_key.secret:<account_id>:<name>`. */
  secret: string;
  created_at: Int8;
  updated_at: Int8;
}

/** Mails that wait to be sent. */
export interface MailTable {
  account_id: string;
  id: string;
  recipient: string;
  /** Envelope of subject and both parts, which may hold links that let people in; context `mail.content:<id>`. */
  content: string;
  /** What it is about. */
  resource_type: string;
  resource_id: string;
  attempts: number;
  created: Int8;
  next_try: Int8;
}

/** Queries of `span` seconds from `at` on, 60 or 3600. Those that a zone had no record for have neither domain nor type. */
export interface UsageTable {
  account_id: string;
  span: number;
  zone: string;
  domain: string;
  type: string;
  at: Int8;
  queries: Int8;
}

/** The last report that was added of each run of an edge. */
export interface UsageReporterTable {
  edge: string;
  boot: string;
  sequence: Int8;
  seen_at: Int8;
}
