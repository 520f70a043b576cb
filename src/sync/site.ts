/** The site of an edge: the interface through which the edge learns the configuration and reports. */
import type { Follower } from "./change.ts";
import type { LiveFollower } from "./live.ts";
import type { Incoming, Peers, PeersChange } from "./peers.ts";
import type { OpenOptions, SealedPeers } from "./sealed-peers.ts";
import type { FollowOptions, Subscription } from "./subscription.ts";
import type { TailCarrier, UsageCarrier } from "./usage.ts";
import type { ZoneSource } from "./zone.ts";

export interface Site {
  /** Follows zones and records until closed. Resolves when the first baseline has been taken. */
  followChanges(follower: Follower, options: FollowOptions): Promise<Subscription>;
  /** Follows live values until closed. Resolves when the first baseline has been taken. */
  followLive(follower: LiveFollower, options: FollowOptions): Promise<Subscription>;
  followPeers(options: PeersOptions): PeersFollowing;
  /** 32 octets, the same for every edge of the site: the secrets of cookies are derived from them. */
  cookieSecret(): Promise<Uint8Array>;
  /**
   * Calls `compare` with the digests of zones after the batch with this number; without a number, only with the last
   * number. What it returns is reported for the follower of this name.
   */
  digests(
    follower: string,
    after: number | undefined,
    compare: (digests: Digests) => EdgeReport | undefined,
  ): Promise<void>;
  /** Returns the carrier of usage reports and of watched queries, which has a separate connection. */
  usage(): UsageCarrier & TailCarrier;
  /** Zones for transfers to other servers. */
  readonly zones: ZoneSource;
  /** Returns the reason for a failure of one of these methods, for the log. */
  reasonOf(error: unknown): string;
}

export interface PeersOptions extends OpenOptions {
  /** Name of this follower. */
  readonly id: string;
  /** The last rows of the previous follower. */
  readonly kept?: SealedPeers | undefined;
  /** Called with the new keys and partners after each change. */
  readonly onChange: (change: PeersChange) => void;
  /** Called when somebody watches the queries of a zone. */
  readonly onWatch?: () => void;
}

/** Keys and partners of zones, followed until closed. */
export interface PeersFollowing {
  readonly peers: Peers;
  /** These keys and partners as the store keeps them; another object after each change. */
  readonly rows: SealedPeers | undefined;
  /** Asks control to check the primary of a zone soon. While the store is unreachable, the request is lost. */
  request(zone: Incoming): void;
  close(): Promise<void>;
}

/** Zones that were read from the store at one revision. */
export interface DigestBatch {
  /** Grows; drawn before the zones were read. */
  readonly number: number;
  readonly revision: number;
  /** By zone id. Each zone has all changes up to the revision, and no later ones. */
  readonly zones: Readonly<Record<string, number>>;
  /** The number of all zones; null if they were not counted. */
  readonly total: number | null;
}

export interface Digests {
  /** The last number that was drawn: zones of later batches are read after this moment. */
  readonly last: number;
  /** In order; a batch that was written long ago is gone. */
  readonly batches: readonly DigestBatch[];
}

/** What an edge reports to its site. */
export interface EdgeReport {
  readonly comparison: Comparison;
  readonly about: AboutEdge;
}

/** What an edge says about itself, for the operator. */
export interface AboutEdge {
  readonly version: string;
  /** Unix seconds by the edge's clock. */
  readonly started: number;
  /** The networks whose zones it answers; null for all. */
  readonly networks: readonly number[] | null;
  readonly zones: number;
  readonly records: number;
  /** Queries a second since the report before; null in the first report. */
  readonly queries: number | null;
  /** Octets: of the whole process, and of the zones in it. */
  readonly memory: { readonly process: number; readonly zones: number };
}

/** How far an edge has compared its zones with the store. */
export interface Comparison {
  /** The revision that it has applied. */
  readonly revision: number;
  /** The edge has compared every batch after this number: earlier ones were begun before its last baseline. */
  readonly since: number;
  /** The last batch that was compared; `since` if there was none. */
  readonly compared: number;
  /** The first zones that differed when they were last compared, also if everything was read again since. */
  readonly differing: readonly string[];
}
