/** The input of the image: of the zones and records in the change stream, the fields that answers depend on. */

export interface ImageZone {
  readonly id: string;
  /** Links lead only to zones of the same account. */
  readonly account_id: string;
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
  /** The zone is on networks that are not served here; zones linked to it may still be answered from its data. */
  readonly elsewhere?: boolean;
  /** A secondary zone that has expired, or was never transferred: it has no data for answers. */
  readonly expired?: boolean;
  /** Only secondaries get answers from the zone. */
  readonly hidden?: boolean;
  /** FQDN of the zone to which this zone is linked: answers come from that zone's data, while it exists and is not linked. */
  readonly link?: string | null;
}

export interface ImageRecord {
  readonly zone_id: string;
  /** FQDN of the owner, in the API's spelling. */
  readonly domain: string;
  readonly type: string;
  readonly ttl: number;
  /** FQDN of the record, of the same type, to which this record is linked: answers come from that record. */
  readonly link?: string | null;
  readonly answers: readonly ImageAnswer[];
  readonly override_ttl: boolean | null;
  readonly override_address_records: boolean;
  /** Filters, which steer the answers if any is enabled. The fields below are as the API stores them. */
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
