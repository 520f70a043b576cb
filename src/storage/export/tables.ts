/** What an export holds: every table but those that are made anew, in an order in which references hold. */
import type { Tables } from "../tables/index.ts";

export const movedTables: readonly (keyof Tables)[] = [
  "account",
  "account_user",
  "user_credential",
  "recovery_code",
  "api_key",
  "api_key_secret",
  "allow_list",
  "team",
  "tsig_key",
  "login_claim",
  "domain_claim",
  "zone_claim",
  "zone",
  "deleted_zone",
  "owner",
  "record",
  "source",
  "feed",
  "destination",
  "activity",
  "idempotency",
  "zone_history",
  "zone_serial",
  "saved_version",
  "change_load",
  "change_part",
  "zone_load",
  "import_job",
  "change",
  "sequencer",
  "setting",
  "usage",
  "mail",
];

/**
 * Sessions and what was sent to set passwords with depend on the master key, and end. `key_claim` is made from the keys, as it depends on the master key; followers, reporters and leases belong to
 * processes; batches of live values are on their way to edges that look into `feed` when they start.
 */
export const leftTables: readonly (keyof Tables)[] = [
  "user_token",
  "user_session",
  "sign_in_guess",
  "key_claim",
  "live_change",
  "live_untold",
  "follower",
  "lease",
  "usage_reporter",
];
