/** The requests and replies of the API. Written by `npm run portal:types` from docs/openapi.json. */

export type ActivityEntry = { id: string; resource_type: string; resource_id: string; user_id: string; user_name: string; user_type: string; action: string; timestamp: number; address: string | null; resource: unknown; before?: unknown };

export type ActivityReport = { generated_at: number; entries: Array<ActivityEntry>; note: string | null };

export type AllowList = { id: string; name: string; values: Array<string> };

export type AllowListBody = { name?: string | null; values?: Array<string> | null };

export type ApiKey = { id: string; key?: string; secrets?: Array<ApiKeySecret>; expiry_duration?: string; name: string; teams: Array<string>; permissions: Permissions; ip_whitelist: Array<string>; ip_whitelist_strict: boolean; last_access: number | null; deletion_guard?: string };

export type ApiKeyBody = { name?: string | null; ip_whitelist?: Array<string> | null; ip_whitelist_strict?: boolean | null; deletion_guard?: string | null; teams?: Array<string> | null; permissions?: { default?: "allow" | "deny" | null; account?: { manage_account_settings?: boolean | null; manage_teams?: boolean | null; manage_users?: boolean | null; manage_apikeys?: boolean | null; manage_ip_whitelist?: boolean | null; view_activity_log?: boolean | null; manage_payment_methods?: boolean | null; view_invoices?: boolean | null; manage_plan?: boolean | null; manage_auth_tags?: boolean | null; manage_auth_keys?: boolean | null; manage_service?: boolean | null; view_service?: boolean | null } & { [key: string]: unknown } | null; data?: { manage_datasources?: boolean | null; manage_datafeeds?: boolean | null; push_to_datafeeds?: boolean | null } & { [key: string]: unknown } | null; dhcp?: { manage_dhcp?: boolean | null; view_dhcp?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; dns?: { manage_zones?: boolean | null; view_zones?: boolean | null; zones_allow_by_default?: boolean | null; zones_allow?: Array<string> | null; zones_deny?: Array<string> | null; records_allow?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null; records_deny?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null } & { [key: string]: unknown } | null; insights?: { view_insights?: boolean | null; manage_insights?: boolean | null } & { [key: string]: unknown } | null; ipam?: { manage_ipam?: boolean | null; view_ipam?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; monitoring?: { manage_lists?: boolean | null; manage_jobs?: boolean | null; view_jobs?: boolean | null; create_jobs?: boolean | null; update_jobs?: boolean | null; delete_jobs?: boolean | null } & { [key: string]: unknown } | null; operator?: { view?: boolean | null; manage?: boolean | null } & { [key: string]: unknown } | null; redirects?: { manage_redirects?: boolean | null } & { [key: string]: unknown } | null; security?: { manage_global_2fa?: boolean | null; manage_active_directory?: boolean | null; manage_kerberos?: boolean | null; manage_ddns?: boolean | null } & { [key: string]: unknown } | null; service?: { view_config?: boolean | null; manage_config?: boolean | null } & { [key: string]: unknown } | null } & { [key: string]: unknown } | null; expiry_duration?: string | null };

export type ApiKeyPreset = { name: "acme" | "dyndns" | "read-only" | "zone"; zone?: string | null; domain?: string | null } | null;

export type ApiKeyRotationBody = { overlap?: string | null };

export type ApiKeySecret = { id: string; key?: string; expires_at: string; last_access: number | null; enabled: boolean };

export type ApiKeySecretBody = { enabled?: boolean | null };

export type AttentionItem = { kind: "zone_expired" | "zone_expiring" | "transfer_failing" | "catalog_failing" | "catalog_held" | "lint" | "feed_silent" | "key_expired" | "key_expiring" | "limit_near"; severity: "error" | "warning" | "notice"; since: number; message: string; thing: { type: "zone" | "feed" | "key" | "limit"; id: string; name: string }; detail: { [key: string]: unknown } };

export type BothProofs = { password: string; code?: string | null; recovery_code?: string | null };

export type ChangeSet = { id: string | null; dry_run: boolean; zones: Array<{ zone: string; change: "created" | "updated" | "deleted" | "records"; put: number; removed: number }>; effect: ChangeSetEffect | null };

export type ChangeSetBody = { zones?: Array<{ action: "create" | "update" | "delete"; zone: string; name?: string | null; views?: unknown; ttl?: number | null; refresh?: number | null; retry?: number | null; expiry?: number | null; nx_ttl?: number | null; hostmaster?: string | null; primary_master?: string | null; networks?: Array<number> | null; disabled?: boolean | null; meta?: { [key: string]: unknown } | null; link?: string | null; dnssec?: boolean | null; primary?: { enabled?: unknown; secondaries?: unknown } & { [key: string]: unknown } | null; secondary?: { enabled?: unknown; primary_ip?: unknown; primary_port?: unknown; primary_network?: unknown; other_ips?: unknown; other_ports?: unknown; other_networks?: unknown; other_notify_only?: unknown; tsig?: { enabled?: unknown; hash?: unknown; name?: unknown; key?: unknown; signed_notifies?: unknown }; tls?: { enabled?: unknown; profile?: unknown; auth_domain_name?: unknown; other_auth_domain_names?: unknown; spki_pins?: unknown; ca?: unknown } } & { [key: string]: unknown } | null; catalog?: { role?: unknown; of?: unknown; groups?: unknown; coo?: unknown } & { [key: string]: unknown } | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null }> | null; records?: Array<{ action: "create" | "update" | "put" | "delete"; zone: string; domain: string; type: string; answers?: Array<{ answer: Array<string | number>; id?: string | null; meta?: { [key: string]: unknown } | null; region?: string | null; feeds?: Array<unknown> | null }> | null; ttl?: number | null; use_client_subnet?: boolean | null; regions?: { [key: string]: { meta?: unknown } } | null; meta?: { [key: string]: unknown } | null; filters?: Array<{ filter: string; config?: { [key: string]: unknown } | null; disabled?: unknown } & { [key: string]: unknown }> | null; all_down?: { policy: "serve_all" | "last_healthy" | "group" | "nothing"; group?: string } | null; live_guard?: number | null; link?: string | null; override_ttl?: boolean | null; override_address_records?: boolean | null; feeds?: Array<unknown> | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null; blocked_tags?: Array<string> | null }> | null; expect?: Array<{ zone: string; serial: number }> | null };

export type ChangeSetEffect = { zones: Array<{ zone: string; settings: { before: ZoneOnly | null; after: ZoneOnly | null } | null; records: Array<{ domain: string; type: string; before: Record | null; after: Record | null }> }>; warnings: Array<{ code: "filter_too_late" | "filter_without_metadata" | "weights_zero" | "no_default_answer" | "unreachable_answer" | "dangling_target" | "covered_record" | "large_reply" | "slow_failover" | "unused_region" | "record_without_answers"; domain: string; type: string; field: string; message: string }>; cells: Array<{ domain: string; type: string; country: string; answer: Array<string>; before: number; after: number }>; complete: boolean };

export type ChangeSetProgress = { id: string; revision: number | null; live: boolean; edges: Array<{ id: string; revision: number; applied: boolean; away: boolean; seen_at: number }> };

export type CodeProof = { code: string };

export type ConfigurationSetting = { key: string; flag: string; variable: string; source: "default" | "file" | "environment" | "flag"; values: Array<string>; secret: boolean; default: string; desc: string; role: string | null; reloads: boolean };

export type Contact = { customerid: number; firstname: string; lastname: string; company: string; email: string; secondary_email: string; phone: string; title: string; website: string; address: { street: string; city: string; state: string; country: string; postalcode: string }; deletion_guard?: string };

export type ContactBody = { firstname?: string | null; lastname?: string | null; company?: string | null; email?: string | null; secondary_email?: string | null; phone?: string | null; title?: string | null; website?: string | null; address?: { street?: string | null; city?: string | null; state?: string | null; country?: string | null; postalcode?: string | number | null } | null; deletion_guard?: string | null };

export type ControlProcess = { id: string; host: string; version: string; started: number; seen_at: number; leases: Array<string>; self: boolean };

export type Delegation = { zone: string; state: "delegated" | "partly" | "elsewhere" | "not_delegated" | "unknown"; reason: string | null; looked_at: number | null; asked: "parent" | "resolver" | null; found: Array<{ name: string; addresses: Array<string> }>; expected: Array<{ name: string; addresses: Array<string> }> };

export type DeletedZone = { id: string; zone: string; records: number; deleted_at: number; kept_until: number; user: { id: string; name: string; type: string } };

export type Demo = { zone: string; source: string; feeds: { east: string; west: string }; records: Array<{ domain: string; type: string }> };

export type DemoBody = { zone?: string | null };

export type Draft = { id: string; name: string; zone_names: Array<string>; writes: number; created_at: number; updated_at: number; expires_at: number; zones: Array<{ action: "create" | "update" | "delete"; zone: string; name?: string | null; views?: unknown; ttl?: number | null; refresh?: number | null; retry?: number | null; expiry?: number | null; nx_ttl?: number | null; hostmaster?: string | null; primary_master?: string | null; networks?: Array<number> | null; disabled?: boolean | null; meta?: { [key: string]: unknown } | null; link?: string | null; dnssec?: boolean | null; primary?: { enabled?: unknown; secondaries?: unknown } & { [key: string]: unknown } | null; secondary?: { enabled?: unknown; primary_ip?: unknown; primary_port?: unknown; primary_network?: unknown; other_ips?: unknown; other_ports?: unknown; other_networks?: unknown; other_notify_only?: unknown; tsig?: { enabled?: unknown; hash?: unknown; name?: unknown; key?: unknown; signed_notifies?: unknown }; tls?: { enabled?: unknown; profile?: unknown; auth_domain_name?: unknown; other_auth_domain_names?: unknown; spki_pins?: unknown; ca?: unknown } } & { [key: string]: unknown } | null; catalog?: { role?: unknown; of?: unknown; groups?: unknown; coo?: unknown } & { [key: string]: unknown } | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null }>; records: Array<{ action: "create" | "update" | "put" | "delete"; zone: string; domain: string; type: string; answers?: Array<{ answer: Array<string | number>; id?: string | null; meta?: { [key: string]: unknown } | null; region?: string | null; feeds?: Array<unknown> | null }> | null; ttl?: number | null; use_client_subnet?: boolean | null; regions?: { [key: string]: { meta?: unknown } } | null; meta?: { [key: string]: unknown } | null; filters?: Array<{ filter: string; config?: { [key: string]: unknown } | null; disabled?: unknown } & { [key: string]: unknown }> | null; all_down?: { policy: "serve_all" | "last_healthy" | "group" | "nothing"; group?: string } | null; live_guard?: number | null; link?: string | null; override_ttl?: boolean | null; override_address_records?: boolean | null; feeds?: Array<unknown> | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null; blocked_tags?: Array<string> | null }>; expect: Array<{ zone: string; serial: number }> };

export type DraftBody = { name?: string; zones?: Array<{ action: "create" | "update" | "delete"; zone: string; name?: string | null; views?: unknown; ttl?: number | null; refresh?: number | null; retry?: number | null; expiry?: number | null; nx_ttl?: number | null; hostmaster?: string | null; primary_master?: string | null; networks?: Array<number> | null; disabled?: boolean | null; meta?: { [key: string]: unknown } | null; link?: string | null; dnssec?: boolean | null; primary?: { enabled?: unknown; secondaries?: unknown } & { [key: string]: unknown } | null; secondary?: { enabled?: unknown; primary_ip?: unknown; primary_port?: unknown; primary_network?: unknown; other_ips?: unknown; other_ports?: unknown; other_networks?: unknown; other_notify_only?: unknown; tsig?: { enabled?: unknown; hash?: unknown; name?: unknown; key?: unknown; signed_notifies?: unknown }; tls?: { enabled?: unknown; profile?: unknown; auth_domain_name?: unknown; other_auth_domain_names?: unknown; spki_pins?: unknown; ca?: unknown } } & { [key: string]: unknown } | null; catalog?: { role?: unknown; of?: unknown; groups?: unknown; coo?: unknown } & { [key: string]: unknown } | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null }> | null; records?: Array<{ action: "create" | "update" | "put" | "delete"; zone: string; domain: string; type: string; answers?: Array<{ answer: Array<string | number>; id?: string | null; meta?: { [key: string]: unknown } | null; region?: string | null; feeds?: Array<unknown> | null }> | null; ttl?: number | null; use_client_subnet?: boolean | null; regions?: { [key: string]: { meta?: unknown } } | null; meta?: { [key: string]: unknown } | null; filters?: Array<{ filter: string; config?: { [key: string]: unknown } | null; disabled?: unknown } & { [key: string]: unknown }> | null; all_down?: { policy: "serve_all" | "last_healthy" | "group" | "nothing"; group?: string } | null; live_guard?: number | null; link?: string | null; override_ttl?: boolean | null; override_address_records?: boolean | null; feeds?: Array<unknown> | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null; blocked_tags?: Array<string> | null }> | null; expect?: Array<{ zone: string; serial: number }> | null };

export type DraftHead = { id: string; name: string; zone_names: Array<string>; writes: number; created_at: number; updated_at: number; expires_at: number };

export type Edge = { id: string; revision: number; behind: number; seen_at: number; age: number; differing: number; version: string | null; started: number | null; networks: Array<number> | null; zones: number | null; records: number | null; queries: number | null; memory: number | null; zone_memory: number | null };

export type EffectiveRights = { rights: Array<{ right: string; allowed: boolean; reasons: Array<{ team: { id: string; name: string } | null; allowed: boolean; reason: string }> }>; scopes: Array<{ team: { id: string; name: string } | null; zones_allow_by_default: boolean; zones_allow: Array<string>; zones_deny: Array<string>; records_allow: Array<{ zone?: string; domain?: string; include_subdomains?: boolean; type?: string }>; records_deny: Array<{ zone?: string; domain?: string; include_subdomains?: boolean; type?: string }> }>; allow_lists: Array<{ level: "own" | "teams" | "account"; values: Array<string>; admits: boolean | null }>; calls: Array<{ call: "read" | "write" | "settings"; right: string; allowed: boolean; reasons: Array<{ team: { id: string; name: string } | null; refused: string | null }> }> | null };

export type ExportStatus = { status: "COMPLETED"; generated_at: string; message: string };

export type Feed = { name: string; data: { [key: string]: unknown }; id: string; config: { [key: string]: unknown }; networks: Array<unknown>; destinations: Array<{ destid: string; desttype: string; record: string }>; pushed_at: number | null; max_age: number | null; fallback: { [key: string]: unknown } | null };

export type FeedBody = { name?: string | null; config?: { [key: string]: unknown } | null; max_age?: number | null; fallback?: { [key: string]: unknown } | null };

export type FeedStatus = { id: string; name: string; source: string; pushed_at: number | null; age: number | null; max_age: number | null; stale: boolean; values: Array<{ key: string; value: unknown; from: "push" | "fallback" | null; pushed: unknown; at: number | null; age: number | null; named: boolean }>; steers: Array<{ zone: string; domain: string; type: string; id: string; keys: Array<string>; answers: Array<{ id: string | null; answer: Array<unknown>; keys: Array<string> }>; regions: Array<{ name: string; keys: Array<string> }> }>; pushes: Array<RecentPush> };

export type FirstSignInBody = { token: string };

export type ForgotBody = { username: string };

export type ImportJob = { id: string; sent: number; type: "importzonefile" | "importtransfer"; percent: number; status: string; result: string | null; response_code?: number; response?: { [key: string]: unknown } };

export type ImportedZone = { nx_ttl: number; retry: number; zone: string; dnssec: boolean; network_pools: Array<string>; primary: { [key: string]: unknown }; refresh: number; expiry: number; dns_servers: Array<string>; records?: Array<RecordSummary | Record>; meta: { [key: string]: unknown }; link: string | null; serial: number; ttl: number; id: string; hostmaster: string; networks: Array<number>; pool: string | null; disabled: boolean; primary_master: string; secondary: { [key: string]: unknown } | null; catalog: { [key: string]: unknown } | null; tags: { [key: string]: unknown }; local_tags: Array<string>; created_at: number; updated_at: number; warnings: Array<string> };

export type InvitationBody = { token: string; password: string };

export type InviteBody = { username?: string | null; email?: string | null; name?: string | null };

export type ListedZone = { nx_ttl: number; retry: number; zone: string; dnssec: boolean; network_pools: Array<string>; primary: { [key: string]: unknown }; refresh: number; expiry: number; dns_servers: Array<string>; meta: { [key: string]: unknown }; link: string | null; serial: number; ttl: number; id: string; hostmaster: string; networks: Array<number>; pool: string | null; disabled: boolean; primary_master: string; secondary: { [key: string]: unknown } | null; catalog: { [key: string]: unknown } | null; tags: { [key: string]: unknown }; local_tags: Array<string>; created_at: number; updated_at: number; delegation?: { state: "delegated" | "partly" | "elsewhere" | "not_delegated" | "unknown"; looked_at: number | null } };

export type Mark = { at: number; zone: string; action: string | null; user: { id: string; name: string; type: string } | null; change: string; settings: boolean; records: number | null; names: Array<string> };

export type NamedRecordBody = { domain: string; type: string; answers?: Array<{ answer: Array<string | number>; id?: string | null; meta?: { [key: string]: unknown } | null; region?: string | null; feeds?: Array<unknown> | null }> | null; ttl?: number | null; use_client_subnet?: boolean | null; regions?: { [key: string]: { meta?: unknown } } | null; meta?: { [key: string]: unknown } | null; filters?: Array<{ filter: string; config?: { [key: string]: unknown } | null; disabled?: unknown } & { [key: string]: unknown }> | null; all_down?: { policy: "serve_all" | "last_healthy" | "group" | "nothing"; group?: string } | null; live_guard?: number | null; link?: string | null; override_ttl?: boolean | null; override_address_records?: boolean | null; feeds?: Array<unknown> | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null; blocked_tags?: Array<string> | null };

export type NamedUserBody = { username?: string | null; email: string; name?: string | null; teams?: Array<string> | null; permissions?: { default?: "allow" | "deny" | null; account?: { manage_account_settings?: boolean | null; manage_teams?: boolean | null; manage_users?: boolean | null; manage_apikeys?: boolean | null; manage_ip_whitelist?: boolean | null; view_activity_log?: boolean | null; manage_payment_methods?: boolean | null; view_invoices?: boolean | null; manage_plan?: boolean | null; manage_auth_tags?: boolean | null; manage_auth_keys?: boolean | null; manage_service?: boolean | null; view_service?: boolean | null } & { [key: string]: unknown } | null; data?: { manage_datasources?: boolean | null; manage_datafeeds?: boolean | null; push_to_datafeeds?: boolean | null } & { [key: string]: unknown } | null; dhcp?: { manage_dhcp?: boolean | null; view_dhcp?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; dns?: { manage_zones?: boolean | null; view_zones?: boolean | null; zones_allow_by_default?: boolean | null; zones_allow?: Array<string> | null; zones_deny?: Array<string> | null; records_allow?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null; records_deny?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null } & { [key: string]: unknown } | null; insights?: { view_insights?: boolean | null; manage_insights?: boolean | null } & { [key: string]: unknown } | null; ipam?: { manage_ipam?: boolean | null; view_ipam?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; monitoring?: { manage_lists?: boolean | null; manage_jobs?: boolean | null; view_jobs?: boolean | null; create_jobs?: boolean | null; update_jobs?: boolean | null; delete_jobs?: boolean | null } & { [key: string]: unknown } | null; operator?: { view?: boolean | null; manage?: boolean | null } & { [key: string]: unknown } | null; redirects?: { manage_redirects?: boolean | null } & { [key: string]: unknown } | null; security?: { manage_global_2fa?: boolean | null; manage_active_directory?: boolean | null; manage_kerberos?: boolean | null; manage_ddns?: boolean | null } & { [key: string]: unknown } | null; service?: { view_config?: boolean | null; manage_config?: boolean | null } & { [key: string]: unknown } | null } & { [key: string]: unknown } | null; ip_whitelist?: Array<string> | null; ip_whitelist_strict?: boolean | null; notify?: { billing?: boolean | null } | null; shared_auth?: { saml?: { sso?: boolean | null; idp?: { use_metadata_url?: boolean | null; metadata_url?: string | null; metadata_file?: string | null; provider?: string | null } | null } | null } | null };

export type NewAllowListBody = { name: string; values?: Array<string> | null };

export type NewApiKeyBody = { name: string; ip_whitelist?: Array<string> | null; ip_whitelist_strict?: boolean | null; deletion_guard?: string | null; teams?: Array<string> | null; permissions?: { default?: "allow" | "deny" | null; account?: { manage_account_settings?: boolean | null; manage_teams?: boolean | null; manage_users?: boolean | null; manage_apikeys?: boolean | null; manage_ip_whitelist?: boolean | null; view_activity_log?: boolean | null; manage_payment_methods?: boolean | null; view_invoices?: boolean | null; manage_plan?: boolean | null; manage_auth_tags?: boolean | null; manage_auth_keys?: boolean | null; manage_service?: boolean | null; view_service?: boolean | null } & { [key: string]: unknown } | null; data?: { manage_datasources?: boolean | null; manage_datafeeds?: boolean | null; push_to_datafeeds?: boolean | null } & { [key: string]: unknown } | null; dhcp?: { manage_dhcp?: boolean | null; view_dhcp?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; dns?: { manage_zones?: boolean | null; view_zones?: boolean | null; zones_allow_by_default?: boolean | null; zones_allow?: Array<string> | null; zones_deny?: Array<string> | null; records_allow?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null; records_deny?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null } & { [key: string]: unknown } | null; insights?: { view_insights?: boolean | null; manage_insights?: boolean | null } & { [key: string]: unknown } | null; ipam?: { manage_ipam?: boolean | null; view_ipam?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; monitoring?: { manage_lists?: boolean | null; manage_jobs?: boolean | null; view_jobs?: boolean | null; create_jobs?: boolean | null; update_jobs?: boolean | null; delete_jobs?: boolean | null } & { [key: string]: unknown } | null; operator?: { view?: boolean | null; manage?: boolean | null } & { [key: string]: unknown } | null; redirects?: { manage_redirects?: boolean | null } & { [key: string]: unknown } | null; security?: { manage_global_2fa?: boolean | null; manage_active_directory?: boolean | null; manage_kerberos?: boolean | null; manage_ddns?: boolean | null } & { [key: string]: unknown } | null; service?: { view_config?: boolean | null; manage_config?: boolean | null } & { [key: string]: unknown } | null } & { [key: string]: unknown } | null; expiry_duration?: string | null; preset?: ApiKeyPreset };

export type NewApiKeySecretBody = { expiry_duration?: string | null };

export type NewDraftBody = { name: string; zones?: Array<{ action: "create" | "update" | "delete"; zone: string; name?: string | null; views?: unknown; ttl?: number | null; refresh?: number | null; retry?: number | null; expiry?: number | null; nx_ttl?: number | null; hostmaster?: string | null; primary_master?: string | null; networks?: Array<number> | null; disabled?: boolean | null; meta?: { [key: string]: unknown } | null; link?: string | null; dnssec?: boolean | null; primary?: { enabled?: unknown; secondaries?: unknown } & { [key: string]: unknown } | null; secondary?: { enabled?: unknown; primary_ip?: unknown; primary_port?: unknown; primary_network?: unknown; other_ips?: unknown; other_ports?: unknown; other_networks?: unknown; other_notify_only?: unknown; tsig?: { enabled?: unknown; hash?: unknown; name?: unknown; key?: unknown; signed_notifies?: unknown }; tls?: { enabled?: unknown; profile?: unknown; auth_domain_name?: unknown; other_auth_domain_names?: unknown; spki_pins?: unknown; ca?: unknown } } & { [key: string]: unknown } | null; catalog?: { role?: unknown; of?: unknown; groups?: unknown; coo?: unknown } & { [key: string]: unknown } | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null }> | null; records?: Array<{ action: "create" | "update" | "put" | "delete"; zone: string; domain: string; type: string; answers?: Array<{ answer: Array<string | number>; id?: string | null; meta?: { [key: string]: unknown } | null; region?: string | null; feeds?: Array<unknown> | null }> | null; ttl?: number | null; use_client_subnet?: boolean | null; regions?: { [key: string]: { meta?: unknown } } | null; meta?: { [key: string]: unknown } | null; filters?: Array<{ filter: string; config?: { [key: string]: unknown } | null; disabled?: unknown } & { [key: string]: unknown }> | null; all_down?: { policy: "serve_all" | "last_healthy" | "group" | "nothing"; group?: string } | null; live_guard?: number | null; link?: string | null; override_ttl?: boolean | null; override_address_records?: boolean | null; feeds?: Array<unknown> | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null; blocked_tags?: Array<string> | null }> | null; expect?: Array<{ zone: string; serial: number }> | null };

export type NewFeedBody = { name: string; config?: { [key: string]: unknown } | null; max_age?: number | null; fallback?: { [key: string]: unknown } | null };

export type NewSecondFactor = { secret: string; url: string; qr: string };

export type NewSourceBody = { name: string; sourcetype: string; config?: { [key: string]: unknown } | null };

export type NewTeamBody = { name: string; permissions?: { default?: "allow" | "deny" | null; account?: { manage_account_settings?: boolean | null; manage_teams?: boolean | null; manage_users?: boolean | null; manage_apikeys?: boolean | null; manage_ip_whitelist?: boolean | null; view_activity_log?: boolean | null; manage_payment_methods?: boolean | null; view_invoices?: boolean | null; manage_plan?: boolean | null; manage_auth_tags?: boolean | null; manage_auth_keys?: boolean | null; manage_service?: boolean | null; view_service?: boolean | null } & { [key: string]: unknown } | null; data?: { manage_datasources?: boolean | null; manage_datafeeds?: boolean | null; push_to_datafeeds?: boolean | null } & { [key: string]: unknown } | null; dhcp?: { manage_dhcp?: boolean | null; view_dhcp?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; dns?: { manage_zones?: boolean | null; view_zones?: boolean | null; zones_allow_by_default?: boolean | null; zones_allow?: Array<string> | null; zones_deny?: Array<string> | null; records_allow?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null; records_deny?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null } & { [key: string]: unknown } | null; insights?: { view_insights?: boolean | null; manage_insights?: boolean | null } & { [key: string]: unknown } | null; ipam?: { manage_ipam?: boolean | null; view_ipam?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; monitoring?: { manage_lists?: boolean | null; manage_jobs?: boolean | null; view_jobs?: boolean | null; create_jobs?: boolean | null; update_jobs?: boolean | null; delete_jobs?: boolean | null } & { [key: string]: unknown } | null; operator?: { view?: boolean | null; manage?: boolean | null } & { [key: string]: unknown } | null; redirects?: { manage_redirects?: boolean | null } & { [key: string]: unknown } | null; security?: { manage_global_2fa?: boolean | null; manage_active_directory?: boolean | null; manage_kerberos?: boolean | null; manage_ddns?: boolean | null } & { [key: string]: unknown } | null; service?: { view_config?: boolean | null; manage_config?: boolean | null } & { [key: string]: unknown } | null } & { [key: string]: unknown } | null; ip_whitelist?: Array<{ id?: string | null; name?: string | null; values?: Array<string> | null }> | null };

export type NewTsigKeyBody = { name?: string | null; algorithm?: string | null; secret: string };

export type NewUserBody = { username: string; email: string; name?: string | null; teams?: Array<string> | null; permissions?: { default?: "allow" | "deny" | null; account?: { manage_account_settings?: boolean | null; manage_teams?: boolean | null; manage_users?: boolean | null; manage_apikeys?: boolean | null; manage_ip_whitelist?: boolean | null; view_activity_log?: boolean | null; manage_payment_methods?: boolean | null; view_invoices?: boolean | null; manage_plan?: boolean | null; manage_auth_tags?: boolean | null; manage_auth_keys?: boolean | null; manage_service?: boolean | null; view_service?: boolean | null } & { [key: string]: unknown } | null; data?: { manage_datasources?: boolean | null; manage_datafeeds?: boolean | null; push_to_datafeeds?: boolean | null } & { [key: string]: unknown } | null; dhcp?: { manage_dhcp?: boolean | null; view_dhcp?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; dns?: { manage_zones?: boolean | null; view_zones?: boolean | null; zones_allow_by_default?: boolean | null; zones_allow?: Array<string> | null; zones_deny?: Array<string> | null; records_allow?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null; records_deny?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null } & { [key: string]: unknown } | null; insights?: { view_insights?: boolean | null; manage_insights?: boolean | null } & { [key: string]: unknown } | null; ipam?: { manage_ipam?: boolean | null; view_ipam?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; monitoring?: { manage_lists?: boolean | null; manage_jobs?: boolean | null; view_jobs?: boolean | null; create_jobs?: boolean | null; update_jobs?: boolean | null; delete_jobs?: boolean | null } & { [key: string]: unknown } | null; operator?: { view?: boolean | null; manage?: boolean | null } & { [key: string]: unknown } | null; redirects?: { manage_redirects?: boolean | null } & { [key: string]: unknown } | null; security?: { manage_global_2fa?: boolean | null; manage_active_directory?: boolean | null; manage_kerberos?: boolean | null; manage_ddns?: boolean | null } & { [key: string]: unknown } | null; service?: { view_config?: boolean | null; manage_config?: boolean | null } & { [key: string]: unknown } | null } & { [key: string]: unknown } | null; ip_whitelist?: Array<string> | null; ip_whitelist_strict?: boolean | null; notify?: { billing?: boolean | null } | null; shared_auth?: { saml?: { sso?: boolean | null; idp?: { use_metadata_url?: boolean | null; metadata_url?: string | null; metadata_file?: string | null; provider?: string | null } | null } | null } | null };

export type NewViewBody = { name: string; page: string; settings: { [key: string]: unknown } };

export type OperatorAccount = { id: string; name: string; created: number; suspended_at: number | null; operator: boolean; zones: number; records: number; users: number; keys: number };

export type PasswordBody = { password?: string | null; new_password: string };

export type PasswordProof = { password: string };

export type Permissions = { default?: "allow" | "deny" | null; account?: { manage_account_settings?: boolean | null; manage_teams?: boolean | null; manage_users?: boolean | null; manage_apikeys?: boolean | null; manage_ip_whitelist?: boolean | null; view_activity_log?: boolean | null; manage_payment_methods?: boolean | null; view_invoices?: boolean | null; manage_plan?: boolean | null; manage_auth_tags?: boolean | null; manage_auth_keys?: boolean | null; manage_service?: boolean | null; view_service?: boolean | null } & { [key: string]: unknown } | null; data?: { manage_datasources?: boolean | null; manage_datafeeds?: boolean | null; push_to_datafeeds?: boolean | null } & { [key: string]: unknown } | null; dhcp?: { manage_dhcp?: boolean | null; view_dhcp?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; dns?: { manage_zones?: boolean | null; view_zones?: boolean | null; zones_allow_by_default?: boolean | null; zones_allow?: Array<string> | null; zones_deny?: Array<string> | null; records_allow?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null; records_deny?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null } & { [key: string]: unknown } | null; insights?: { view_insights?: boolean | null; manage_insights?: boolean | null } & { [key: string]: unknown } | null; ipam?: { manage_ipam?: boolean | null; view_ipam?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; monitoring?: { manage_lists?: boolean | null; manage_jobs?: boolean | null; view_jobs?: boolean | null; create_jobs?: boolean | null; update_jobs?: boolean | null; delete_jobs?: boolean | null } & { [key: string]: unknown } | null; operator?: { view?: boolean | null; manage?: boolean | null } & { [key: string]: unknown } | null; redirects?: { manage_redirects?: boolean | null } & { [key: string]: unknown } | null; security?: { manage_global_2fa?: boolean | null; manage_active_directory?: boolean | null; manage_kerberos?: boolean | null; manage_ddns?: boolean | null } & { [key: string]: unknown } | null; service?: { view_config?: boolean | null; manage_config?: boolean | null } & { [key: string]: unknown } | null } & { [key: string]: unknown };

export type RecentPush = { at: number; result: "stored" | "refused"; message?: string; feeds?: number; merged: boolean; octets: number; values?: { [key: string]: unknown } };

export type Record = { domain: string; zone: string; use_client_subnet: boolean; answers: Array<{ answer: Array<string | number>; id: string; meta?: { [key: string]: unknown }; region?: string; feeds?: Array<unknown> }>; id: string; regions: { [key: string]: unknown }; meta: { [key: string]: unknown }; link: string | null; filters: Array<unknown>; ttl: number; tier: number; type: string; networks: Array<number>; override_ttl: boolean | null; override_address_records: boolean; feeds: Array<unknown>; tags: { [key: string]: unknown }; local_tags: Array<string>; blocked_tags: Array<string>; customer: null; created_at: number; updated_at: number; all_down?: { policy: "serve_all" | "last_healthy" | "group" | "nothing"; group?: string }; live_guard?: number };

export type RecordBody = { answers?: Array<{ answer: Array<string | number>; id?: string | null; meta?: { [key: string]: unknown } | null; region?: string | null; feeds?: Array<unknown> | null }> | null; ttl?: number | null; use_client_subnet?: boolean | null; regions?: { [key: string]: { meta?: unknown } } | null; meta?: { [key: string]: unknown } | null; filters?: Array<{ filter: string; config?: { [key: string]: unknown } | null; disabled?: unknown } & { [key: string]: unknown }> | null; all_down?: { policy: "serve_all" | "last_healthy" | "group" | "nothing"; group?: string } | null; live_guard?: number | null; link?: string | null; override_ttl?: boolean | null; override_address_records?: boolean | null; feeds?: Array<unknown> | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null; blocked_tags?: Array<string> | null };

export type RecordSummary = { domain: string; short_answers: Array<string>; link: string | null; ttl: number; tier: number; type: string; id: string; zone: string };

export type ResetBody = { token: string; password: string };

export type SecondFactorBody = { code?: string | null; recovery_code?: string | null };

export type Session = { id: string; created: number; used_at: number; address: string; agent: string; current: boolean };

export type SignInBody = { username: string; password: string };

export type SignedIn = { stage: "full" | "second_factor" | "enrolment"; csrf_token: string; user: { username: string; name: string; email: string; "2fa_enabled": boolean; has_password: boolean } };

export type Source = { status: string; name: string; feeds: Array<Feed>; config: { [key: string]: unknown }; id: string; sourcetype: string };

export type SourceBody = { name?: string | null; sourcetype?: string | null; config?: { [key: string]: unknown } | null };

export type StoreState = { server: string; embedded: boolean; started: number; size: number; schema: string; epoch: number; revision: number; live_revision: number; unnumbered: number; connections: { used: number; most: number }; replication: { synchronous: string; standbys: Array<{ name: string; state: string | null; sync: string | null; behind: number | null }> }; disk: { directory: string; free: number; size: number; has_store: boolean } };

export type Team = { id: string; name: string; permissions: Permissions; ip_whitelist: Array<{ id: string; name: string; values: Array<string> }> };

export type TeamBody = { name?: string | null; permissions?: { default?: "allow" | "deny" | null; account?: { manage_account_settings?: boolean | null; manage_teams?: boolean | null; manage_users?: boolean | null; manage_apikeys?: boolean | null; manage_ip_whitelist?: boolean | null; view_activity_log?: boolean | null; manage_payment_methods?: boolean | null; view_invoices?: boolean | null; manage_plan?: boolean | null; manage_auth_tags?: boolean | null; manage_auth_keys?: boolean | null; manage_service?: boolean | null; view_service?: boolean | null } & { [key: string]: unknown } | null; data?: { manage_datasources?: boolean | null; manage_datafeeds?: boolean | null; push_to_datafeeds?: boolean | null } & { [key: string]: unknown } | null; dhcp?: { manage_dhcp?: boolean | null; view_dhcp?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; dns?: { manage_zones?: boolean | null; view_zones?: boolean | null; zones_allow_by_default?: boolean | null; zones_allow?: Array<string> | null; zones_deny?: Array<string> | null; records_allow?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null; records_deny?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null } & { [key: string]: unknown } | null; insights?: { view_insights?: boolean | null; manage_insights?: boolean | null } & { [key: string]: unknown } | null; ipam?: { manage_ipam?: boolean | null; view_ipam?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; monitoring?: { manage_lists?: boolean | null; manage_jobs?: boolean | null; view_jobs?: boolean | null; create_jobs?: boolean | null; update_jobs?: boolean | null; delete_jobs?: boolean | null } & { [key: string]: unknown } | null; operator?: { view?: boolean | null; manage?: boolean | null } & { [key: string]: unknown } | null; redirects?: { manage_redirects?: boolean | null } & { [key: string]: unknown } | null; security?: { manage_global_2fa?: boolean | null; manage_active_directory?: boolean | null; manage_kerberos?: boolean | null; manage_ddns?: boolean | null } & { [key: string]: unknown } | null; service?: { view_config?: boolean | null; manage_config?: boolean | null } & { [key: string]: unknown } | null } & { [key: string]: unknown } | null; ip_whitelist?: Array<{ id?: string | null; name?: string | null; values?: Array<string> | null }> | null };

export type TransferBody = { secondary: { enabled?: unknown; primary_ip?: unknown; primary_port?: unknown; primary_network?: unknown; other_ips?: unknown; other_ports?: unknown; other_networks?: unknown; other_notify_only?: unknown; tsig?: { enabled?: unknown; hash?: unknown; name?: unknown; key?: unknown; signed_notifies?: unknown }; tls?: { enabled?: unknown; profile?: unknown; auth_domain_name?: unknown; other_auth_domain_names?: unknown; spki_pins?: unknown; ca?: unknown } } & { [key: string]: unknown } };

export type TransferredRecord = { domain: string; type: string; flattening: string; records: Array<string> };

export type TsigKey = { name: string; algorithm: string; secret?: string; created_at: number; updated_at: number };

export type TsigKeyBody = { name?: string | null; algorithm?: string | null; secret?: string | null };

export type TwoFactorRequirement = { required: boolean };

export type TwoFactorRequirementBody = { required: boolean };

export type Undo = { id: string; change_set: { zones: Array<{ action: "create" | "update" | "delete"; zone: string; name?: string | null; views?: unknown; ttl?: number | null; refresh?: number | null; retry?: number | null; expiry?: number | null; nx_ttl?: number | null; hostmaster?: string | null; primary_master?: string | null; networks?: Array<number> | null; disabled?: boolean | null; meta?: { [key: string]: unknown } | null; link?: string | null; dnssec?: boolean | null; primary?: { enabled?: unknown; secondaries?: unknown } & { [key: string]: unknown } | null; secondary?: { enabled?: unknown; primary_ip?: unknown; primary_port?: unknown; primary_network?: unknown; other_ips?: unknown; other_ports?: unknown; other_networks?: unknown; other_notify_only?: unknown; tsig?: { enabled?: unknown; hash?: unknown; name?: unknown; key?: unknown; signed_notifies?: unknown }; tls?: { enabled?: unknown; profile?: unknown; auth_domain_name?: unknown; other_auth_domain_names?: unknown; spki_pins?: unknown; ca?: unknown } } & { [key: string]: unknown } | null; catalog?: { role?: unknown; of?: unknown; groups?: unknown; coo?: unknown } & { [key: string]: unknown } | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null }>; records: Array<{ action: "create" | "update" | "put" | "delete"; zone: string; domain: string; type: string; answers?: Array<{ answer: Array<string | number>; id?: string | null; meta?: { [key: string]: unknown } | null; region?: string | null; feeds?: Array<unknown> | null }> | null; ttl?: number | null; use_client_subnet?: boolean | null; regions?: { [key: string]: { meta?: unknown } } | null; meta?: { [key: string]: unknown } | null; filters?: Array<{ filter: string; config?: { [key: string]: unknown } | null; disabled?: unknown } & { [key: string]: unknown }> | null; all_down?: { policy: "serve_all" | "last_healthy" | "group" | "nothing"; group?: string } | null; live_guard?: number | null; link?: string | null; override_ttl?: boolean | null; override_address_records?: boolean | null; feeds?: Array<unknown> | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null; blocked_tags?: Array<string> | null }>; expect: Array<{ zone: string; serial: number }> }; undelete: Array<string>; left_out: Array<string> };

export type UsageWarnings = { queries: { send_warnings: boolean; warning_1: number; warning_2: number }; records: { send_warnings: boolean; warning_1: number; warning_2: number }; zones?: { send_warnings: boolean; warning_1: number; warning_2: number } };

export type UsageWarningsBody = { queries?: { send_warnings?: boolean | null; warning_1?: number | null; warning_2?: number | null } | null; records?: { send_warnings?: boolean | null; warning_1?: number | null; warning_2?: number | null } | null; zones?: { send_warnings?: boolean | null; warning_1?: number | null; warning_2?: number | null } | null };

export type User = { id: string; username: string; email: string; name: string; teams: Array<string>; permissions: Permissions; ip_whitelist: Array<string>; ip_whitelist_strict: boolean; notify: { billing: boolean }; shared_auth?: { saml?: { sso?: boolean | null; idp?: { use_metadata_url?: boolean | null; metadata_url?: string | null; metadata_file?: string | null; provider?: string | null } | null } | null }; "2fa_enabled": boolean; last_access: number | null; created: number; invite_token?: string };

export type UserBody = { username?: string | null; email?: string | null; name?: string | null; teams?: Array<string> | null; permissions?: { default?: "allow" | "deny" | null; account?: { manage_account_settings?: boolean | null; manage_teams?: boolean | null; manage_users?: boolean | null; manage_apikeys?: boolean | null; manage_ip_whitelist?: boolean | null; view_activity_log?: boolean | null; manage_payment_methods?: boolean | null; view_invoices?: boolean | null; manage_plan?: boolean | null; manage_auth_tags?: boolean | null; manage_auth_keys?: boolean | null; manage_service?: boolean | null; view_service?: boolean | null } & { [key: string]: unknown } | null; data?: { manage_datasources?: boolean | null; manage_datafeeds?: boolean | null; push_to_datafeeds?: boolean | null } & { [key: string]: unknown } | null; dhcp?: { manage_dhcp?: boolean | null; view_dhcp?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; dns?: { manage_zones?: boolean | null; view_zones?: boolean | null; zones_allow_by_default?: boolean | null; zones_allow?: Array<string> | null; zones_deny?: Array<string> | null; records_allow?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null; records_deny?: Array<{ zone?: string | null; domain?: string | null; include_subdomains?: boolean | null; type?: string | null }> | null } & { [key: string]: unknown } | null; insights?: { view_insights?: boolean | null; manage_insights?: boolean | null } & { [key: string]: unknown } | null; ipam?: { manage_ipam?: boolean | null; view_ipam?: boolean | null; tags_allow?: Array<{ name: string; value?: string | null }> | null; tags_deny?: Array<{ name: string; value?: string | null }> | null } & { [key: string]: unknown } | null; monitoring?: { manage_lists?: boolean | null; manage_jobs?: boolean | null; view_jobs?: boolean | null; create_jobs?: boolean | null; update_jobs?: boolean | null; delete_jobs?: boolean | null } & { [key: string]: unknown } | null; operator?: { view?: boolean | null; manage?: boolean | null } & { [key: string]: unknown } | null; redirects?: { manage_redirects?: boolean | null } & { [key: string]: unknown } | null; security?: { manage_global_2fa?: boolean | null; manage_active_directory?: boolean | null; manage_kerberos?: boolean | null; manage_ddns?: boolean | null } & { [key: string]: unknown } | null; service?: { view_config?: boolean | null; manage_config?: boolean | null } & { [key: string]: unknown } | null } & { [key: string]: unknown } | null; ip_whitelist?: Array<string> | null; ip_whitelist_strict?: boolean | null; notify?: { billing?: boolean | null } | null; shared_auth?: { saml?: { sso?: boolean | null; idp?: { use_metadata_url?: boolean | null; metadata_url?: string | null; metadata_file?: string | null; provider?: string | null } | null } | null } | null };

export type Version = { id: number; name: string; active: boolean; activated_at: number; created_at: number; zone: string; saved: boolean; user: { id: string; name: string; type: string } | null; action: string | null; restored: number | null; removed: number; added: number };

export type VersionDifference = { from: number | null; to: number; zone: string; settings: { before: ZoneOnly; after: ZoneOnly } | null; records: Array<{ domain: string; type: string; before: Record | null; after: Record | null }> };

export type View = { id: string; name: string; page: string; settings: { [key: string]: unknown }; created_at: number; updated_at: number };

export type ViewBody = { name?: string; page?: string; settings?: { [key: string]: unknown } };

export type Zone = { nx_ttl: number; retry: number; zone: string; dnssec: boolean; network_pools: Array<string>; primary: { [key: string]: unknown }; refresh: number; expiry: number; dns_servers: Array<string>; records?: Array<RecordSummary | Record>; meta: { [key: string]: unknown }; link: string | null; serial: number; ttl: number; id: string; hostmaster: string; networks: Array<number>; pool: string | null; disabled: boolean; primary_master: string; secondary: { [key: string]: unknown } | null; catalog: { [key: string]: unknown } | null; tags: { [key: string]: unknown }; local_tags: Array<string>; created_at: number; updated_at: number };

export type ZoneBody = { zone?: string | null; name?: string | null; views?: unknown; ttl?: number | null; refresh?: number | null; retry?: number | null; expiry?: number | null; nx_ttl?: number | null; hostmaster?: string | null; primary_master?: string | null; networks?: Array<number> | null; disabled?: boolean | null; meta?: { [key: string]: unknown } | null; link?: string | null; dnssec?: boolean | null; primary?: { enabled?: unknown; secondaries?: unknown } & { [key: string]: unknown } | null; secondary?: { enabled?: unknown; primary_ip?: unknown; primary_port?: unknown; primary_network?: unknown; other_ips?: unknown; other_ports?: unknown; other_networks?: unknown; other_notify_only?: unknown; tsig?: { enabled?: unknown; hash?: unknown; name?: unknown; key?: unknown; signed_notifies?: unknown }; tls?: { enabled?: unknown; profile?: unknown; auth_domain_name?: unknown; other_auth_domain_names?: unknown; spki_pins?: unknown; ca?: unknown } } & { [key: string]: unknown } | null; catalog?: { role?: unknown; of?: unknown; groups?: unknown; coo?: unknown } & { [key: string]: unknown } | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null };

export type ZoneClaim = { zone: string; record: { domain: string; type: string; value: string } };

export type ZoneKeys = { zone: string; keys: { dnskey: Array<Array<string>>; ttl: number }; delegation: { dnskey: Array<Array<string>>; ds: Array<Array<string>>; ttl: number } };

export type ZoneOnly = { nx_ttl: number; retry: number; zone: string; dnssec: boolean; network_pools: Array<string>; primary: { [key: string]: unknown }; refresh: number; expiry: number; dns_servers: Array<string>; meta: { [key: string]: unknown }; link: string | null; serial: number; ttl: number; id: string; hostmaster: string; networks: Array<number>; pool: string | null; disabled: boolean; primary_master: string; secondary: { [key: string]: unknown } | null; catalog: { [key: string]: unknown } | null; tags: { [key: string]: unknown }; local_tags: Array<string>; created_at: number; updated_at: number };

export interface Operations {
  "GET /v1/zones": {
    path: undefined;
    query: { q?: string; kind?: "primary" | "secondary" | "linked"; tag?: string; status?: "enabled" | "disabled"; network?: number; delegation?: "delegated" | "partly" | "elsewhere" | "not_delegated" | "unknown"; sort?: "name" | "created" | "updated" | "serial"; order?: "asc" | "desc"; fields?: "delegation"; export?: "csv"; limit?: number; after?: string };
    body: undefined;
    reply: Array<ListedZone>;
  };
  "GET /v1/zones/{zone}": {
    path: { zone: string };
    query: { records?: boolean; expand?: boolean; version?: number; at?: string; limit?: number; after?: string };
    body: undefined;
    reply: Zone;
  };
  "PUT /v1/zones/{zone}": {
    path: { zone: string };
    query: undefined;
    body: ZoneBody | undefined;
    reply: Zone;
  };
  "POST /v1/zones/{zone}": {
    path: { zone: string };
    query: { refresh?: boolean; confirm_deletions?: boolean };
    body: ZoneBody | undefined;
    reply: Zone;
  };
  "DELETE /v1/zones/{zone}": {
    path: { zone: string };
    query: { confirm_deletions?: boolean };
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/zones/{zone}/dnssec": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: ZoneKeys;
  };
  "GET /v1/zones/{zone}/delegation": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: Delegation;
  };
  "POST /v1/zones/{zone}/delegation": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: Delegation;
  };
  "GET /v1/zones/{zone}/{domain}/{type}": {
    path: { zone: string; domain: string; type: string };
    query: { version?: number; at?: string };
    body: undefined;
    reply: Record;
  };
  "PUT /v1/zones/{zone}/{domain}/{type}": {
    path: { zone: string; domain: string; type: string };
    query: undefined;
    body: RecordBody | undefined;
    reply: Record;
  };
  "POST /v1/zones/{zone}/{domain}/{type}": {
    path: { zone: string; domain: string; type: string };
    query: undefined;
    body: RecordBody | undefined;
    reply: Record;
  };
  "DELETE /v1/zones/{zone}/{domain}/{type}": {
    path: { zone: string; domain: string; type: string };
    query: { confirm_deletions?: boolean };
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "POST /v1/zones/{zone}/{domain}/{type}/answers": {
    path: { zone: string; domain: string; type: string };
    query: { confirm_deletions?: boolean };
    body: { add?: Array<{ answer: Array<string | number>; id?: string | null; meta?: { [key: string]: unknown } | null; region?: string | null; feeds?: Array<unknown> | null }> | null; remove?: Array<{ id?: string | null; answer?: Array<string | number> | null }> | null } | undefined;
    reply: Record;
  };
  "POST /v1/zones/{zone}/records": {
    path: { zone: string };
    query: { confirm_deletions?: boolean };
    body: { put?: Array<NamedRecordBody> | null; remove?: Array<{ domain: string; type: string }> | null } | undefined;
    reply: { zone: string; records: Array<Record>; removed: Array<{ domain: string; type: string }> };
  };
  "GET /v1/zones/{zone}/versions": {
    path: { zone: string };
    query: { saved?: boolean; limit?: number; after?: string };
    body: undefined;
    reply: Array<Version>;
  };
  "PUT /v1/zones/{zone}/versions": {
    path: { zone: string };
    query: { force?: boolean };
    body: { name?: string | null } | undefined;
    reply: Version;
  };
  "GET /v1/zones/{zone}/versions/{id}": {
    path: { zone: string; id: string };
    query: undefined;
    body: undefined;
    reply: Version;
  };
  "DELETE /v1/zones/{zone}/versions/{id}": {
    path: { zone: string; id: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "POST /v1/zones/{zone}/versions/{id}/activate": {
    path: { zone: string; id: string };
    query: { confirm_deletions?: boolean };
    body: undefined;
    reply: Version;
  };
  "POST /v1/zones/{zone}/{domain}/{type}/restore": {
    path: { zone: string; domain: string; type: string };
    query: undefined;
    body: { version?: number | null; at?: string | null } | undefined;
    reply: Record;
  };
  "GET /v1/zones/{zone}/diff": {
    path: { zone: string };
    query: { from?: number; to?: number; limit?: number; after?: string };
    body: undefined;
    reply: VersionDifference;
  };
  "GET /v1/deletedzones": {
    path: undefined;
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<DeletedZone>;
  };
  "POST /v1/deletedzones/{zone}/undelete": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: ZoneOnly;
  };
  "DELETE /v1/deletedzones/{zone}": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/zones/{zone}/claim": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: ZoneClaim;
  };
  "POST /v1/zones/{zone}/claim": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: ZoneClaim;
  };
  "PUT /v1/import/zonefile/{zone}": {
    path: { zone: string };
    query: { async?: boolean; partial?: boolean; networks?: string; name?: string; views?: string };
    body: string;
    reply: ImportedZone | ImportJob;
  };
  "GET /v1/import/zonefile/{zone}": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: ImportJob;
  };
  "PUT /v1/export/zonefile/{zone}": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: ExportStatus;
  };
  "GET /v1/export/zonefile/{zone}": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: string;
  };
  "GET /v1/export/zonefile/{zone}/status": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: ExportStatus;
  };
  "PUT /v1/import/transfer/{zone}": {
    path: { zone: string };
    query: { partial?: boolean; networks?: string; name?: string; views?: string };
    body: TransferBody;
    reply: ImportJob;
  };
  "GET /v1/import/transfer/{zone}": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: ImportJob;
  };
  "GET /v1/data/sourcetypes": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: { shortdesc: string; desc: string; config: { [key: string]: { desc: string; type: string; shortdesc: string; validator: string; required: boolean; default: string | null; choices?: Array<string> } }; feed_config: { [key: string]: { desc: string; type: string; shortdesc: string; validator: string; required: boolean; default: string | null; choices?: Array<string> } }; compatible_meta: Array<string> } };
  };
  "GET /v1/data/sources": {
    path: undefined;
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<Source>;
  };
  "PUT /v1/data/sources": {
    path: undefined;
    query: undefined;
    body: NewSourceBody;
    reply: Source;
  };
  "GET /v1/data/sources/{sourceid}": {
    path: { sourceid: string };
    query: undefined;
    body: undefined;
    reply: Source;
  };
  "POST /v1/data/sources/{sourceid}": {
    path: { sourceid: string };
    query: undefined;
    body: SourceBody | undefined;
    reply: Source;
  };
  "DELETE /v1/data/sources/{sourceid}": {
    path: { sourceid: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/data/feeds/{sourceid}": {
    path: { sourceid: string };
    query: undefined;
    body: undefined;
    reply: Array<Feed>;
  };
  "PUT /v1/data/feeds/{sourceid}": {
    path: { sourceid: string };
    query: undefined;
    body: NewFeedBody;
    reply: Feed;
  };
  "GET /v1/data/feeds/{sourceid}/{feedid}": {
    path: { sourceid: string; feedid: string };
    query: undefined;
    body: undefined;
    reply: Feed;
  };
  "POST /v1/data/feeds/{sourceid}/{feedid}": {
    path: { sourceid: string; feedid: string };
    query: undefined;
    body: FeedBody | undefined;
    reply: Feed;
  };
  "DELETE /v1/data/feeds/{sourceid}/{feedid}": {
    path: { sourceid: string; feedid: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "POST /v1/feed/{id}": {
    path: { id: string };
    query: { merge?: boolean };
    body: { [key: string]: unknown };
    reply: { [key: string]: unknown };
  };
  "GET /v1/data/feeds/{sourceid}/{feedid}/status": {
    path: { sourceid: string; feedid: string };
    query: { limit?: number; after?: string };
    body: undefined;
    reply: FeedStatus;
  };
  "GET /v1/data/sources/{sourceid}/pushes": {
    path: { sourceid: string };
    query: undefined;
    body: undefined;
    reply: Array<RecentPush>;
  };
  "POST /v1/explain": {
    path: undefined;
    query: undefined;
    body: { name: string; type?: string | null; client?: string | null; subnet?: string | null; location?: { country?: string | null; subdivision?: string | null; georegion?: "US-EAST" | "US-CENTRAL" | "US-WEST" | "EUROPE" | "ASIAPAC" | "SOUTH-AMERICA" | "AFRICA" | null; latitude?: number | null; longitude?: number | null; asn?: number | null }; time?: number | null; seed?: number | null; draws?: number | null; matrix?: boolean | null; records?: Array<{ action: "create" | "update" | "put" | "delete"; zone: string; domain: string; type: string; answers?: Array<{ answer: Array<string | number>; id?: string | null; meta?: { [key: string]: unknown } | null; region?: string | null; feeds?: Array<unknown> | null }> | null; ttl?: number | null; use_client_subnet?: boolean | null; regions?: { [key: string]: { meta?: unknown } } | null; meta?: { [key: string]: unknown } | null; filters?: Array<{ filter: string; config?: { [key: string]: unknown } | null; disabled?: unknown } & { [key: string]: unknown }> | null; all_down?: { policy: "serve_all" | "last_healthy" | "group" | "nothing"; group?: string } | null; live_guard?: number | null; link?: string | null; override_ttl?: boolean | null; override_address_records?: boolean | null; feeds?: Array<unknown> | null; tags?: { [key: string]: unknown } | null; local_tags?: Array<string> | null; blocked_tags?: Array<string> | null }> | null; feeds?: { [key: string]: { [key: string]: unknown } } | null; editor?: string | null };
    reply: { name: string; type: string; rcode: string; flags: Array<string>; answer: Array<string>; authority: Array<string>; additional: Array<string>; octets: number; ecs: { subnet: string; scope: number } | null; client: { [key: string]: unknown }; steps: Array<{ name: string; zone: string | null; state: string; link: string | null; record: string | null; wildcard: boolean; hidden: boolean; answers: Array<unknown>; filters: Array<{ filter: string; config: unknown; acts: boolean; before: Array<number | string>; after: Array<number | string>; left: Array<{ answer: number | string; reason: string }>; all_down: string | null; guarded: boolean; values: Array<{ answer: number; key: string; value: unknown; elements: number | null; source: string | null; feed: string | null; origin: "stored" | "pushed" | "fallback" | "assumed" | null; age: number | null }>; facts: Array<{ fact: string; value: unknown; bits: number }> }> }>; warnings: Array<{ code: "filter_too_late" | "filter_without_metadata" | "weights_zero" | "no_default_answer" | "unreachable_answer" | "dangling_target" | "covered_record" | "large_reply" | "slow_failover" | "unused_region" | "record_without_answers"; domain: string; type: string; field: string; message: string }>; draws?: Array<{ answer: Array<string>; count: number; share: number }>; matrix?: { [key: string]: Array<{ answer: Array<string>; count: number; share: number }> } };
  };
  "GET /v1/zones/{zone}/lint": {
    path: { zone: string };
    query: undefined;
    body: undefined;
    reply: { zone: string; records: number; complete: boolean; warnings: Array<{ code: "filter_too_late" | "filter_without_metadata" | "weights_zero" | "no_default_answer" | "unreachable_answer" | "dangling_target" | "covered_record" | "large_reply" | "slow_failover" | "unused_region" | "record_without_answers"; domain: string; type: string; field: string; message: string }> };
  };
  "GET /v1/networks": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Array<{ network_id: number; name: string; label: string }>;
  };
  "GET /v1/filtertypes": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: { shortdesc: string; desc: string; tier: number; inputs: Array<string>; config: { [key: string]: { desc: string; type: string; shortdesc: string; validator: string; required: boolean; default: string | null; choices?: Array<string> } }; rectypes?: Array<string> } };
  };
  "GET /v1/metatypes": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: { shortdesc: string; category: string; desc: string; type: "checkbox" | "number" | "text" | "select" | "json"; many: boolean; choices?: Array<string>; says: string } };
  };
  "GET /v1/recordtypes": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: { code: number; fields: Array<{ name: string; takes: "one" | "rest"; type: "name" | "ipv4" | "ipv6" | "number" | "select" | "text"; minimum?: number; maximum?: number; choices?: Array<number> }> } };
  };
  "GET /v1/metatypes/geo": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { subdivisions: { [key: string]: Array<string> }; countries: Array<string> };
  };
  "PUT /v1/demo": {
    path: undefined;
    query: undefined;
    body: DemoBody | undefined;
    reply: Demo;
  };
  "GET /v1/monitoring/jobs": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Array<unknown>;
  };
  "PUT /v1/monitoring/jobs": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/monitoring/jobtypes": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: { shortdesc: string; desc: string; config: { [key: string]: { desc: string; type: string; shortdesc: string; validator: string; required: boolean; default: string | null; choices?: Array<string> } }; results: { [key: string]: { shortdesc: string; desc: string; type: string; validator: string; metric: boolean; comparators: Array<string> } } } };
  };
  "GET /v1/monitoring/regions": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Array<{ code: string; name: string; subnets: Array<string> }>;
  };
  "GET /v1/lists": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Array<unknown>;
  };
  "PUT /v1/lists": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/notifytypes": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: { shortdesc: string; desc: string; config: { [key: string]: { desc: string; type: string; shortdesc: string; validator: string; required: boolean; default: string | null; choices?: Array<string> } } } };
  };
  "GET /v1/search": {
    path: undefined;
    query: { q: string; max?: number; type?: "zone" | "record" | "all" | "answers"; expand?: boolean; limit?: number; after?: string };
    body: undefined;
    reply: Array<{ [key: string]: unknown }>;
  };
  "GET /v1/search/zone/{zone_id}": {
    path: { zone_id: string };
    query: { q?: string; max?: number; type?: "zone" | "record" | "all" | "answers"; geo?: number; expand?: boolean; limit?: number; after?: string };
    body: undefined;
    reply: Array<{ [key: string]: unknown }>;
  };
  "GET /v1/stats/qps": {
    path: undefined;
    query: { networks?: string };
    body: undefined;
    reply: { qps: number };
  };
  "GET /v1/stats/qps/{zone}": {
    path: { zone: string };
    query: { networks?: string };
    body: undefined;
    reply: { qps: number };
  };
  "GET /v1/stats/qps/{zone}/{domain}/{type}": {
    path: { zone: string; domain: string; type: string };
    query: { networks?: string };
    body: undefined;
    reply: { qps: number };
  };
  "GET /v1/stats/usage": {
    path: undefined;
    query: { networks?: string; period?: "1h" | "24h" | "30d" | "90d"; expand?: boolean; aggregate?: boolean; by_tier?: boolean };
    body: undefined;
    reply: Array<{ jobs?: number; zones?: number; records?: number; feeds?: number; zone?: string; domain?: string; rectype?: string; tier?: number; period: string; queries: number; graph: Array<Array<number>> }>;
  };
  "GET /v1/stats/usage/{zone}": {
    path: { zone: string };
    query: { networks?: string; period?: "1h" | "24h" | "30d" | "90d"; expand?: boolean; aggregate?: boolean; by_tier?: boolean };
    body: undefined;
    reply: Array<{ jobs?: number; zones?: number; records?: number; feeds?: number; zone?: string; domain?: string; rectype?: string; tier?: number; period: string; queries: number; graph: Array<Array<number>> }>;
  };
  "GET /v1/stats/usage/{zone}/{domain}/{type}": {
    path: { zone: string; domain: string; type: string };
    query: { networks?: string; period?: "1h" | "24h" | "30d" | "90d"; expand?: boolean; aggregate?: boolean; by_tier?: boolean };
    body: undefined;
    reply: Array<{ jobs?: number; zones?: number; records?: number; feeds?: number; zone?: string; domain?: string; rectype?: string; tier?: number; period: string; queries: number; graph: Array<Array<number>> }>;
  };
  "GET /v1/attention": {
    path: undefined;
    query: { kind?: "zone_expired" | "zone_expiring" | "transfer_failing" | "catalog_failing" | "catalog_held" | "lint" | "feed_silent" | "key_expired" | "key_expiring" | "limit_near"; limit?: number; after?: string };
    body: undefined;
    reply: Array<AttentionItem>;
  };
  "GET /v1/stats/top": {
    path: undefined;
    query: { period?: "1h" | "24h" | "30d" | "90d"; limit?: number };
    body: undefined;
    reply: { period: string; since: number; queries: number; zones: Array<{ zone: string; queries: number }> };
  };
  "GET /v1/stats/top/{zone}": {
    path: { zone: string };
    query: { period?: "1h" | "24h" | "30d" | "90d"; limit?: number };
    body: undefined;
    reply: { zone: string; period: string; since: number; queries: number; without_record: number | null; records: Array<{ domain: string; rectype: string; queries: number }> };
  };
  "GET /v1/stats/mix": {
    path: undefined;
    query: { period?: "1h" | "24h" | "30d" | "90d" };
    body: undefined;
    reply: { period: string; since: number; queries: number; types: Array<{ type: string; queries: number; graph: Array<Array<number>> }>; rcodes: Array<{ rcode: string; queries: number; graph: Array<Array<number>> }>; transports: Array<{ transport: string; queries: number; graph: Array<Array<number>> }> };
  };
  "GET /v1/stats/mix/{zone}": {
    path: { zone: string };
    query: { period?: "1h" | "24h" | "30d" | "90d" };
    body: undefined;
    reply: { period: string; since: number; queries: number; types: Array<{ type: string; queries: number; graph: Array<Array<number>> }>; rcodes: Array<{ rcode: string; queries: number; graph: Array<Array<number>> }>; transports: Array<{ transport: string; queries: number; graph: Array<Array<number>> }> };
  };
  "GET /v1/stats/missing/{zone}": {
    path: { zone: string };
    query: { period?: "24h" | "30d"; limit?: number };
    body: undefined;
    reply: { zone: string; period: string; since: number; names: Array<{ domain: string; queries: number }> };
  };
  "GET /v1/stats/tail/{zone}": {
    path: { zone: string };
    query: { after?: number };
    body: undefined;
    reply: { zone: string; last: number; queries: Array<{ at: number; name: string; type: string; rcode: string | null; transport: string; client: string; country: string | null; asn: number | null }> };
  };
  "GET /v1/stats/marks": {
    path: undefined;
    query: { start?: string; end?: string; limit?: number; after?: string };
    body: undefined;
    reply: Array<Mark>;
  };
  "GET /v1/stats/marks/{zone}": {
    path: { zone: string };
    query: { start?: string; end?: string; limit?: number; after?: string };
    body: undefined;
    reply: Array<Mark>;
  };
  "GET /v1/stats/marks/{zone}/{domain}/{type}": {
    path: { zone: string; domain: string; type: string };
    query: { start?: string; end?: string; limit?: number; after?: string };
    body: undefined;
    reply: Array<Mark>;
  };
  "GET /v1/changes/{id}": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: { id: string; revision: number | null; numbered: boolean; serials: { [key: string]: number } };
  };
  "PUT /v1/changesets": {
    path: undefined;
    query: { dry_run?: boolean; confirm_deletions?: boolean };
    body: ChangeSetBody | undefined;
    reply: ChangeSet;
  };
  "GET /v1/changesets/{id}": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: ChangeSetProgress;
  };
  "GET /v1/changesets/{id}/undo": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: Undo;
  };
  "GET /v1/drafts": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Array<DraftHead>;
  };
  "PUT /v1/drafts": {
    path: undefined;
    query: undefined;
    body: NewDraftBody;
    reply: Draft;
  };
  "GET /v1/drafts/{id}": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: Draft;
  };
  "POST /v1/drafts/{id}": {
    path: { id: string };
    query: undefined;
    body: DraftBody | undefined;
    reply: Draft;
  };
  "DELETE /v1/drafts/{id}": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/zones/{zone}/transfer": {
    path: { zone: string };
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<TransferredRecord>;
  };
  "GET /v1/tsig": {
    path: undefined;
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<TsigKey>;
  };
  "GET /v1/tsig/{name}": {
    path: { name: string };
    query: undefined;
    body: undefined;
    reply: TsigKey;
  };
  "PUT /v1/tsig/{name}": {
    path: { name: string };
    query: undefined;
    body: NewTsigKeyBody;
    reply: TsigKey;
  };
  "POST /v1/tsig/{name}": {
    path: { name: string };
    query: undefined;
    body: TsigKeyBody | undefined;
    reply: TsigKey;
  };
  "DELETE /v1/tsig/{name}": {
    path: { name: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/account/users": {
    path: undefined;
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<User>;
  };
  "PUT /v1/account/users": {
    path: undefined;
    query: undefined;
    body: NewUserBody;
    reply: User;
  };
  "GET /v1/account/users/{username}": {
    path: { username: string };
    query: undefined;
    body: undefined;
    reply: User;
  };
  "PUT /v1/account/users/{username}": {
    path: { username: string };
    query: undefined;
    body: NamedUserBody;
    reply: User;
  };
  "POST /v1/account/users/{username}": {
    path: { username: string };
    query: undefined;
    body: UserBody | undefined;
    reply: User;
  };
  "DELETE /v1/account/users/{username}": {
    path: { username: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "POST /v1/account/reinvite/{username}": {
    path: { username: string };
    query: undefined;
    body: InviteBody | undefined;
    reply: { [key: string]: unknown };
  };
  "DELETE /v1/account/2factor/reset/{username}": {
    path: { username: string };
    query: undefined;
    body: undefined;
    reply: string;
  };
  "GET /v1/views": {
    path: undefined;
    query: { page?: string };
    body: undefined;
    reply: Array<View>;
  };
  "PUT /v1/views": {
    path: undefined;
    query: undefined;
    body: NewViewBody;
    reply: View;
  };
  "GET /v1/views/{id}": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: View;
  };
  "POST /v1/views/{id}": {
    path: { id: string };
    query: undefined;
    body: ViewBody | undefined;
    reply: View;
  };
  "DELETE /v1/views/{id}": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/account/apikeys": {
    path: undefined;
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<ApiKey>;
  };
  "PUT /v1/account/apikeys": {
    path: undefined;
    query: undefined;
    body: NewApiKeyBody;
    reply: ApiKey;
  };
  "GET /v1/account/apikeys/{keyid}": {
    path: { keyid: string };
    query: undefined;
    body: undefined;
    reply: ApiKey;
  };
  "POST /v1/account/apikeys/{keyid}": {
    path: { keyid: string };
    query: undefined;
    body: ApiKeyBody | undefined;
    reply: ApiKey;
  };
  "DELETE /v1/account/apikeys/{keyid}": {
    path: { keyid: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "POST /v1/account/apikeys/{keyid}/rotate": {
    path: { keyid: string };
    query: undefined;
    body: ApiKeyRotationBody | undefined;
    reply: ApiKey;
  };
  "POST /v1/account/apikeys/{keyid}/secrets": {
    path: { keyid: string };
    query: undefined;
    body: NewApiKeySecretBody | undefined;
    reply: ApiKey;
  };
  "POST /v1/account/apikeys/{keyid}/secrets/{secretid}": {
    path: { keyid: string; secretid: string };
    query: undefined;
    body: ApiKeySecretBody | undefined;
    reply: ApiKey;
  };
  "DELETE /v1/account/apikeys/{keyid}/secrets/{secretid}": {
    path: { keyid: string; secretid: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/account/teams": {
    path: undefined;
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<Team>;
  };
  "PUT /v1/account/teams": {
    path: undefined;
    query: undefined;
    body: NewTeamBody;
    reply: Team;
  };
  "GET /v1/account/teams/{teamid}": {
    path: { teamid: string };
    query: undefined;
    body: undefined;
    reply: Team;
  };
  "POST /v1/account/teams/{teamid}": {
    path: { teamid: string };
    query: undefined;
    body: TeamBody | undefined;
    reply: Team;
  };
  "DELETE /v1/account/teams/{teamid}": {
    path: { teamid: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/account/apikeys/{keyid}/effective": {
    path: { keyid: string };
    query: { zone?: string; domain?: string; type?: string; address?: string };
    body: undefined;
    reply: EffectiveRights;
  };
  "GET /v1/account/users/{username}/effective": {
    path: { username: string };
    query: { zone?: string; domain?: string; type?: string; address?: string };
    body: undefined;
    reply: EffectiveRights;
  };
  "GET /v1/account/teams/{teamid}/effective": {
    path: { teamid: string };
    query: { zone?: string; domain?: string; type?: string; address?: string };
    body: undefined;
    reply: EffectiveRights;
  };
  "GET /v1/account/settings": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Contact;
  };
  "POST /v1/account/settings": {
    path: undefined;
    query: undefined;
    body: ContactBody | undefined;
    reply: Contact;
  };
  "GET /v1/account/usagewarnings": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: UsageWarnings;
  };
  "POST /v1/account/usagewarnings": {
    path: undefined;
    query: undefined;
    body: UsageWarningsBody | undefined;
    reply: UsageWarnings;
  };
  "GET /v1/account/whitelist": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Array<AllowList>;
  };
  "PUT /v1/account/whitelist": {
    path: undefined;
    query: undefined;
    body: NewAllowListBody;
    reply: AllowList;
  };
  "GET /v1/account/whitelist/{id}": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: AllowList;
  };
  "POST /v1/account/whitelist/{id}": {
    path: { id: string };
    query: undefined;
    body: AllowListBody | undefined;
    reply: AllowList;
  };
  "DELETE /v1/account/whitelist/{id}": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "GET /v1/account/twofactor": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: TwoFactorRequirement;
  };
  "POST /v1/account/twofactor": {
    path: undefined;
    query: undefined;
    body: TwoFactorRequirementBody;
    reply: TwoFactorRequirement;
  };
  "GET /v1/account/activity": {
    path: undefined;
    query: { limit?: number; start?: string; end?: string; resource_type?: string; resource_id?: string; user?: string; zone?: string; export?: "json" | "xml" | "csv" | "html" | "pdf" | "xlsx" | "xslx" };
    body: undefined;
    reply: Array<ActivityEntry> | ActivityReport;
  };
  "GET /v1/operator/edges": {
    path: undefined;
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<Edge>;
  };
  "GET /v1/operator/controls": {
    path: undefined;
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<ControlProcess>;
  };
  "GET /v1/operator/store": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: StoreState;
  };
  "GET /v1/operator/configuration": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Array<ConfigurationSetting>;
  };
  "GET /v1/operator/accounts": {
    path: undefined;
    query: { limit?: number; after?: string };
    body: undefined;
    reply: Array<OperatorAccount>;
  };
  "POST /v1/auth/signin": {
    path: undefined;
    query: undefined;
    body: SignInBody;
    reply: SignedIn;
  };
  "POST /v1/auth/first": {
    path: undefined;
    query: undefined;
    body: FirstSignInBody;
    reply: SignedIn;
  };
  "POST /v1/auth/secondfactor": {
    path: undefined;
    query: undefined;
    body: SecondFactorBody | undefined;
    reply: SignedIn;
  };
  "POST /v1/auth/signout": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "POST /v1/auth/confirm": {
    path: undefined;
    query: undefined;
    body: BothProofs;
    reply: { [key: string]: unknown };
  };
  "POST /v1/auth/invitation": {
    path: undefined;
    query: undefined;
    body: InvitationBody;
    reply: SignedIn;
  };
  "POST /v1/auth/forgot": {
    path: undefined;
    query: undefined;
    body: ForgotBody;
    reply: { [key: string]: unknown };
  };
  "POST /v1/auth/reset": {
    path: undefined;
    query: undefined;
    body: ResetBody;
    reply: SignedIn;
  };
  "POST /v1/auth/password": {
    path: undefined;
    query: undefined;
    body: PasswordBody;
    reply: SignedIn;
  };
  "GET /v1/auth/session": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { stage: "full" | "second_factor" | "enrolment"; csrf_token: string; user: { username: string; name: string; email: string; "2fa_enabled": boolean; has_password: boolean }; ends: number };
  };
  "GET /v1/auth/sessions": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: Array<Session>;
  };
  "DELETE /v1/auth/sessions": {
    path: undefined;
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "DELETE /v1/auth/sessions/{id}": {
    path: { id: string };
    query: undefined;
    body: undefined;
    reply: { [key: string]: unknown };
  };
  "PUT /v1/auth/totp": {
    path: undefined;
    query: undefined;
    body: PasswordProof;
    reply: NewSecondFactor;
  };
  "POST /v1/auth/totp": {
    path: undefined;
    query: undefined;
    body: CodeProof;
    reply: { stage: "full" | "second_factor" | "enrolment"; csrf_token: string; user: { username: string; name: string; email: string; "2fa_enabled": boolean; has_password: boolean }; recovery_codes: Array<string> };
  };
  "POST /v1/auth/totp/disable": {
    path: undefined;
    query: undefined;
    body: BothProofs;
    reply: SignedIn;
  };
  "POST /v1/auth/recoverycodes": {
    path: undefined;
    query: undefined;
    body: BothProofs;
    reply: { recovery_codes: Array<string> };
  };
}
