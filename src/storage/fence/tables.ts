/** The tables of the store by the owner of their rows: one account or all of them. */
import type { Tables } from "../tables/index.ts";

const account = ["account_id"];
/** The keyed hash of a secret identifies one row, so it restricts a statement as well. */
const accountOrSecret = ["account_id", "hash"];
/** Tables of names that are unique over all accounts, and tables without an account. */
const unrestricted: readonly string[] = [];

/** The columns of which a statement must compare one with a value, so that it sees the rows of one account only. */
export const holdingColumns: Readonly<Record<keyof Tables, readonly string[]>> = {
  account: ["id"],
  account_user: account,
  user_credential: account,
  recovery_code: account,
  user_token: accountOrSecret,
  user_session: accountOrSecret,
  sign_in_guess: unrestricted,
  mail: account,
  api_key: account,
  api_key_secret: account,
  allow_list: account,
  key_claim: unrestricted,
  login_claim: unrestricted,
  zone_claim: unrestricted,
  domain_claim: unrestricted,
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
  change_load: unrestricted,
  change_part: unrestricted,
  zone_load: account,
  import_job: account,
  zone_history: account,
  zone_serial: account,
  saved_version: account,
  live_change: unrestricted,
  live_untold: unrestricted,
  sequencer: unrestricted,
  follower: unrestricted,
  lease: unrestricted,
  setting: unrestricted,
  usage: account,
  team: account,
  tsig_key: account,
  usage_reporter: unrestricted,
};

/** Returns the columns of a table; none for an unknown name. */
export const columnsOf = (table: string): readonly string[] =>
  Object.hasOwn(holdingColumns, table) ? Reflect.get(holdingColumns, table) : [];

/** Claim tables that are restricted too: a key or login belongs to one account. Claims of zone names are not. */
export const claimedColumns: Readonly<Record<string, readonly string[]>> = {
  key_claim: ["account_id", "hash"],
  login_claim: ["account_id", "login"],
};
