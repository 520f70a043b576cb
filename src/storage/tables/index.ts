/** The types of the store's tables, which the migrations create. Columns have the API's spelling. */
import type {
  AccountTable,
  AllowListTable,
  ApiKeySecretTable,
  ApiKeyTable,
  KeyClaimTable,
  TeamTable,
} from "./accounts.ts";
import type { AttentionTable, ZoneLintTable } from "./attention.ts";
import type { AccountCellsTable, DestinationTable, FeedTable, RecentPushTable, SourceTable } from "./feeds.ts";
import type { ChangeLoadTable, ChangePartTable, ImportJobTable, ZoneLoadTable } from "./loads.ts";
import type { OwnerTable, RecordTable } from "./records.ts";
import type { ActivityTable, IdempotencyTable } from "./requests.ts";
import type {
  ChangeTable,
  ControlProcessTable,
  DeferredFeedsTable,
  DigestBatchTable,
  EpochTable,
  FollowerTable,
  LeaseTable,
  LiveChangeTable,
  SequencerTable,
} from "./streams.ts";
import type { TsigKeyTable } from "./transfers.ts";
import type {
  TailQueryTable,
  TailWatchTable,
  UsageMissingTable,
  UsageMixTable,
  UsageReporterTable,
  UsageTable,
} from "./usage.ts";
import type {
  AttemptTable,
  DraftTable,
  LoginClaimTable,
  MailTable,
  RecoveryCodeTable,
  UserCredentialTable,
  UserSessionTable,
  UserTable,
  UserTokenTable,
  ViewTable,
} from "./users.ts";

import type { SavedVersionTable, ZoneHistoryTable, ZoneSerialTable } from "./versions.ts";
import type { DeletedZoneTable, DomainClaimTable, ZoneClaimTable, ZoneDelegationTable, ZoneTable } from "./zones.ts";

export interface Tables {
  account: AccountTable;
  account_user: UserTable;
  user_credential: UserCredentialTable;
  recovery_code: RecoveryCodeTable;
  user_token: UserTokenTable;
  user_session: UserSessionTable;
  attempt: AttemptTable;
  draft: DraftTable;
  saved_view: ViewTable;
  api_key: ApiKeyTable;
  api_key_secret: ApiKeySecretTable;
  allow_list: AllowListTable;
  team: TeamTable;
  key_claim: KeyClaimTable;
  login_claim: LoginClaimTable;
  zone_claim: ZoneClaimTable;
  domain_claim: DomainClaimTable;
  zone: ZoneTable;
  zone_delegation: ZoneDelegationTable;
  deleted_zone: DeletedZoneTable;
  owner: OwnerTable;
  record: RecordTable;
  source: SourceTable;
  feed: FeedTable;
  account_cells: AccountCellsTable;
  destination: DestinationTable;
  recent_push: RecentPushTable;
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
  deferred_feeds: DeferredFeedsTable;
  sequencer: SequencerTable;
  digest_batch: DigestBatchTable;
  epoch: EpochTable;
  follower: FollowerTable;
  control_process: ControlProcessTable;
  lease: LeaseTable;
  setting: SettingTable;
  usage: UsageTable;
  usage_mix: UsageMixTable;
  usage_missing: UsageMissingTable;
  tail_watch: TailWatchTable;
  tail_query: TailQueryTable;
  attention: AttentionTable;
  zone_lint: ZoneLintTable;
  tsig_key: TsigKeyTable;
  usage_reporter: UsageReporterTable;
  mail: MailTable;
}

export interface SettingTable {
  name: string;
  value: string;
}
