/** The tables of the store: those whose rows belong to one account each, and the others. */
import type { Tables } from "./index.ts";

const account = ["account_id"];
/** The keyed hash of a secret identifies one row, so it restricts a statement as well. */
const accountOrSecret = ["account_id", "hash"];
/** Tables of names that are unique over all accounts, and tables without an account. */
const unrestricted: readonly string[] = [];

/** The tables of an export, in an order that satisfies references. */
const exported = {
  account: ["id"],
  account_user: account,
  user_credential: account,
  recovery_code: account,
  draft: account,
  saved_view: account,
  api_key: account,
  api_key_secret: account,
  allow_list: account,
  team: account,
  tsig_key: account,
  login_claim: unrestricted,
  domain_claim: unrestricted,
  zone_claim: unrestricted,
  zone: account,
  zone_delegation: account,
  deleted_zone: account,
  owner: account,
  record: account,
  source: account,
  feed: account,
  destination: account,
  activity: account,
  idempotency: account,
  zone_history: account,
  zone_serial: account,
  saved_version: account,
  change_load: unrestricted,
  change_part: unrestricted,
  zone_load: account,
  import_job: account,
  change: account,
  sequencer: unrestricted,
  setting: unrestricted,
  usage: account,
  usage_mix: account,
  usage_missing: account,
  mail: account,
};

/** The tables that are not exported: their data are temporary or derived. */
const notExported = {
  user_token: accountOrSecret,
  user_session: accountOrSecret,
  attempt: unrestricted,
  key_claim: unrestricted,
  account_cells: account,
  recent_push: account,
  attention: account,
  zone_lint: account,
  tail_watch: account,
  tail_query: account,
  live_change: unrestricted,
  deferred_feeds: unrestricted,
  digest_batch: unrestricted,
  epoch: unrestricted,
  follower: unrestricted,
  control_process: unrestricted,
  lease: unrestricted,
  usage_reporter: unrestricted,
};

/** By table: a statement must compare one of these columns with a value, so that it sees the rows of one account only. */
export const holdingColumns: Readonly<Record<keyof Tables, readonly string[]>> = { ...exported, ...notExported };

// Object.keys has a wider type
export const exportedTables = Object.keys(exported) as (keyof typeof exported)[];

/** Returns these columns for a table; none for an unknown name. */
export const columnsOf = (table: string): readonly string[] =>
  Object.hasOwn(holdingColumns, table) ? Reflect.get(holdingColumns, table) : [];

/** Claim tables that are restricted too: a key or login belongs to one account. Claims of zone names are not restricted. */
export const claimedColumns: Readonly<Record<string, readonly string[]>> = {
  key_claim: ["account_id", "hash"],
  login_claim: ["account_id", "login"],
};
