/** The change stream: the form of configuration changes between the store and every follower. */
import type { ContentsReference } from "./contents.ts";
import type { Numeral, Sequenced } from "./stream-source.ts";
import type { StreamFollower } from "./subscription.ts";

/** Bumped when a reader of the older shape would misread a message; a follower refuses unknown formats. */
export const changeFormat = 1;

/** Name of the stream of zones and records. */
export const configuration = "configuration";
/** Channel on which the sequencer announces new change sets. */
export const changeChannel = "fairlead_change";
/** The text of a notification on this channel when somebody waits for edges to compare their zones with new digests. */
export const digestsNews = "digests";

/** The zone as an edge needs it: the fields of the SOA record and where the zone is served. Names in the API's spelling. */
export interface ZoneState {
  readonly id: string;
  readonly account_id: string;
  /** FQDN, lower case, no final dot. */
  readonly zone: string;
  readonly view: string;
  readonly ttl: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expiry: number;
  readonly nx_ttl: number;
  readonly hostmaster: string;
  readonly primary_master: string;
  readonly networks: readonly number[];
  readonly disabled: boolean;
  /** A secondary zone without usable data: it was never transferred, or its data are too old. */
  readonly expired?: boolean;
  /** A catalog zone: it is answered REFUSED, except to servers that may transfer it. */
  readonly hidden?: boolean;
  /** FQDN of another zone of the account; this zone is answered from its data. */
  readonly link?: string | null;
}

/** Networks whose zones an edge answers. */
export type ServedNetworks = readonly number[] | "all";

/** The zone as served on these networks. Zones on none of them are `elsewhere`: only links to them need them. */
export function zoneServed(zone: ZoneState, served: ServedNetworks): ZoneState & { readonly elsewhere: boolean } {
  return { ...zone, elsewhere: !zone.networks.some((id) => served === "all" || served.includes(id)) };
}

export interface AnswerState {
  readonly id: string;
  /** RDATA fields in the API's order, as the client sent them. */
  readonly answer: readonly (string | number)[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly region?: string;
}

/** A record as an edge needs it: always whole, so that applying it twice is harmless. */
export interface RecordState {
  readonly id: string;
  readonly zone_id: string;
  /** FQDN of the owner, lower case, no final dot. */
  readonly domain: string;
  readonly type: string;
  readonly ttl: number;
  /** FQDN of another record of the same type and account, whose answers this record is served with. */
  readonly link?: string | null;
  readonly answers: readonly AnswerState[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly regions: Readonly<Record<string, unknown>>;
  readonly filters: readonly unknown[];
  /** `{policy, group?}`, as the engine's `policy.ts` has it. */
  readonly all_down?: unknown;
  /** From 0 to 1. */
  readonly live_guard?: number | null;
  readonly use_client_subnet: boolean;
  /** Null is the same as false. */
  readonly override_ttl: boolean | null;
  readonly override_address_records: boolean;
}

/** One step of a change set, whose steps are applied together or not at all. */
export type Change =
  | { readonly kind: "zone"; readonly zone: ZoneState }
  | { readonly kind: "zone_removed"; readonly zone_id: string }
  | { readonly kind: "record"; readonly record: RecordState }
  | { readonly kind: "record_removed"; readonly zone_id: string; readonly domain: string; readonly type: string }
  /** Replaces all records of the zone with those of the parts; later steps of the same set may change them. */
  | ZoneContents;

export interface ZoneContents {
  readonly kind: "contents";
  readonly zone_id: string;
  /** FQDN. */
  readonly zone: string;
  readonly load: ContentsReference;
}

/** Above this many octets of JSON the changes travel as a stored load. */
export const mostInlineOctets = 256 * 1024;

/** Identifies a stored large change set: the follower fetches it by id and verifies the checksum. */
export interface LoadReference {
  readonly id: string;
  /** SHA-256 of the stored octets, hex. */
  readonly checksum: string;
  readonly octets: number;
}

/** One message of the stream. Revisions are given after commit, by one sequencer, without gaps within a stream. */
export interface ChangeSet extends Sequenced {
  /** The name of the stream. */
  readonly subject: string;
  /** Id of the change, as the API's reply named it. */
  readonly id: string;
  /** New serials of the zones that this change set touches. */
  readonly serials: Readonly<Record<string, number>>;
  readonly changes: readonly Change[];
  /** Fetches the parts of a zone's contents, one at a time; present when `changes` contain a step of kind `contents`. */
  readonly parts?: (load: ContentsReference) => AsyncIterable<Uint8Array>;
}

/** Everything at one revision, from which a follower starts. */
export interface Baseline extends Numeral {
  /** Zones with their serials, then records, in batches small enough to hold. */
  zones(): AsyncIterable<readonly { zone: ZoneState; serial: number }[]>;
  records(): AsyncIterable<readonly RecordState[]>;
}

/**
 * Called by a carrier, such as PostgreSQL: first `start` with a baseline, then `apply` once for each change set in order.
 * The carrier calls `start` again after a gap that it cannot fill.
 *
 * A baseline may include changes that had no number when it was taken. Those changes come again as change sets, and a set
 * may contain a record of a zone that no longer exists. All steps applied in order still end in the right state.
 */
export type Follower = StreamFollower<Baseline, ChangeSet>;
