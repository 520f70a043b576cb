/** Whose rows a table holds. */
import type { Tables } from "../tables/index.ts";

const account = ["account_id"];
/** The keyed hash of a secret finds the one row that it belongs to, whoever asks. */
const accountOrSecret = ["account_id", "hash"];
/** Names that are unique over all accounts and lead to one, and what belongs to none. */
const everybody: readonly string[] = [];

/** The columns of which a statement must hold one to a value, so that it sees the rows of one account. */
export const holdingColumns: Readonly<Record<keyof Tables, readonly string[]>> = {
  account: ["id"],
  account_user: account,
  user_credential: account,
  recovery_code: account,
  user_token: accountOrSecret,
  user_session: accountOrSecret,
  sign_in_guess: everybody,
  mail: account,
  api_key: account,
  api_key_secret: account,
  allow_list: account,
  key_claim: everybody,
  login_claim: everybody,
  zone_claim: everybody,
  domain_claim: everybody,
  zone: account,
  deleted_zone: account,
  owner: account,
  record: account,
  source: account,
  feed: account,
  destination: account,
  activity: account,
  idempotency: account,
  change: account,
  change_load: everybody,
  change_part: everybody,
  zone_load: account,
  import_job: account,
  zone_history: account,
  zone_serial: account,
  saved_version: account,
  live_change: everybody,
  live_untold: everybody,
  sequencer: everybody,
  follower: everybody,
  lease: everybody,
  setting: everybody,
  usage: account,
  team: account,
  tsig_key: account,
  usage_reporter: everybody,
};

/** Those of a table of ours; none of anything else. */
export const columnsOf = (table: string): readonly string[] =>
  Object.hasOwn(holdingColumns, table) ? Reflect.get(holdingColumns, table) : [];

/** A key or a login leads to its account when it is known; whose the name of a zone is, is asked of all of them. */
export const claimedColumns: Readonly<Record<string, readonly string[]>> = {
  key_claim: ["account_id", "hash"],
  login_claim: ["account_id", "login"],
};
