/** What the image is built from: the part of the change stream's zones and records that answers depend on. */

export interface ImageZone {
  readonly id: string;
  /** FQDN of the apex, in the API's spelling. */
  readonly zone: string;
  readonly view: string;
  readonly ttl: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expiry: number;
  readonly nx_ttl: number;
  readonly hostmaster: string;
  readonly primary_master: string;
  readonly disabled: boolean;
  /** It is on networks that are not answered for here, where its data may be those of a linked zone all the same. */
  readonly elsewhere?: boolean;
  /** There is nothing to answer from. */
  readonly expired?: boolean;
  /** It is for its secondaries alone. */
  readonly hidden?: boolean;
  /** FQDN of the zone from whose data this one is answered. */
  readonly link?: string | null;
}

export interface ImageRecord {
  readonly zone_id: string;
  /** FQDN of the owner, in the API's spelling. */
  readonly domain: string;
  readonly type: string;
  readonly ttl: number;
  /** FQDN of the record of the same type that it answers with. */
  readonly link?: string | null;
  readonly answers: readonly ImageAnswer[];
  readonly override_ttl: boolean;
  readonly override_address_records: boolean;
  /** What steers the answers; without enabled filters nothing does. All else is as the API stores it. */
  readonly filters?: readonly unknown[];
  readonly meta?: unknown;
  readonly regions?: unknown;
  readonly use_client_subnet?: boolean;
  readonly all_down?: unknown;
  readonly live_guard?: unknown;
}

export interface ImageAnswer {
  readonly answer: readonly unknown[];
  readonly meta?: unknown;
  readonly region?: unknown;
}
