/** The limits of an account, one row each: every number that a plan may set. */

/** A row of the table, as `docs/reference/limits.md` shows it. */
export interface LimitRow {
  readonly what: string;
  readonly most: number;
  readonly unit: string;
}

const row = (what: string, most: number, unit: string): LimitRow => ({ what, most, unit });

export const limitRows = {
  zones: row("zones of an account, except the first account (`fairlead account limit`)", 10_000, "zones"),
  records: row("records of an account, except the first account (`fairlead account limit`)", 1_000_000, "records"),
  recordMegabytes: row(
    "answers, filters, regions, metadata and tags of an account's records and zones, as JSON, except the first account (`fairlead account limit`)",
    1024,
    "MiB",
  ),
  keptMegabytes: row(
    "history of an account's zones, as the store keeps it; as much again of its activity log, and of its deleted zones; the oldest is removed first; except the first account (`fairlead account limit`)",
    1024,
    "MiB",
  ),
  keptReplyMegabytes: row(
    "replies that are kept for the `Idempotency-Key`s of an account; the oldest is removed first",
    64,
    "MiB",
  ),
  answers: row("answers in a record", 100, "answers"),
  filters: row("filters in the chain of a record", 64, "filters"),
  regions: row("regions in a record", 500, "regions"),
  tags: row("tags of a zone or record", 200, "tags"),
  zoneListEntries: row("entries in a list of a zone's settings, such as its secondaries", 50, "entries"),
  tsigKeys: row("TSIG keys of an account", 1000, "keys"),
  partners: row(
    "secondaries and primaries of all zones of an account, except the first account; the secondaries of a zone count once more for each zone that links to it",
    50_000,
    "servers",
  ),
  claimAttempts: row("attempts in an hour to create zones that conflict with zones of other accounts", 100, "attempts"),
  unconfirmedZones: row(
    "zones that guarded requests can delete within ten minutes without a confirmation, whatever their share",
    10,
    "zones",
  ),
  unconfirmedRecords: row(
    "records of a zone that guarded requests can delete within ten minutes without a confirmation, whatever their share",
    100,
    "records",
  ),
  savedVersions: row("saved versions of a zone", 100, "versions"),
  restoredRecords: row("records that one call brings back from a version", 200_000, "records"),
  undeletedRecords: row("records that one call brings back with a deleted zone", 1_000_000, "records"),
  importedRecords: row("records in a zone file", 10_000_000, "records"),
  transferredRecords: row("records in a zone that is transferred from another server", 5_000_000, "records"),
  catalogMembers: row("zones in a catalog of another server", 10_000, "zones"),
  catalogGroups: row("groups of a zone in a catalog", 10, "groups"),
  bulkRecords: row("records that one call writes in a zone", 5000, "records"),
  changeSetZones: row("zones in a change set", 200, "zones"),
  changeSetRecords: row("records in a change set", 5000, "records"),
  simulatedRecords: row("records of a draft in a request to explain", 100, "records"),
  simulatedFeeds: row("feeds with assumed values in a request to explain", 100, "feeds"),
  drafts: row("drafts of a user", 50, "drafts"),
  draftMegabytes: row("drafts of a user together, as JSON; each counts 1 KiB more", 8, "MiB"),
  accountDraftMegabytes: row("drafts of all users of an account together, as JSON; each counts 1 KiB more", 64, "MiB"),
  views: row("saved views of a user", 100, "views"),
  viewKilobytes: row("settings of a saved view, as JSON", 4, "KiB"),
  accountViews: row("saved views of all users of an account", 10_000, "views"),
  sources: row("data sources of an account", 1000, "sources"),
  feeds: row("feeds of an account", 10_000, "feeds"),
  feedCells: row(
    "metadata values in all feeds of an account, except the first account; a value larger than 64 octets counts once for each 64 octets",
    50_000,
    "values",
  ),
  keys: row("API keys of an account", 10_000, "keys"),
  keySecrets: row("secrets of an API key, old ones included", 10, "secrets"),
  keyDays: row("lifetime of an API key that expires", 3650, "days"),
  users: row("users of an account", 10_000, "users"),
  sessions: row("sessions of a user", 20, "sessions"),
  teams: row("teams of an account", 1000, "teams"),
  holderTeams: row("teams of a key or user", 20, "teams"),
  permissionsKilobytes: row("permissions of a key, user or team, as JSON", 512, "KiB"),
  joinedKilobytes: row("permissions of all teams of a key or user together, as JSON", 1024, "KiB"),
  holdersMegabytes: row(
    "permissions, allow lists and other JSON of all keys, users and teams of an account",
    64,
    "MiB",
  ),
  allowLists: row("allow lists of an account", 100, "lists"),
  allowListEntries: row("entries in one allow list, and in all lists of an account together", 1000, "entries"),
  imports: row("imports of an account that are being sent, are waiting or are running", 10, "imports"),
  exports: row("exported zone files of an account that clients have not fetched yet", 8, "files"),
  exportsWritten: row("zone files of an account that are exported at the same time", 4, "files"),
  reports: row("reports of an account's activity and zones that clients have not fetched yet", 4, "files"),
} as const;

/** The numbers by name, without the texts of the table. */
export const limits = Object.fromEntries(Object.entries(limitRows).map(([name, { most }]) => [name, most])) as {
  readonly [Name in keyof typeof limitRows]: number;
};
