/** The options of an edge, and the interface of a running edge. */
import type { Log } from "../lib/log.ts";
import type { XdpQueue } from "../net/xdp/queue.ts";
import type { ServedNetworks } from "../sync/change.ts";
import type { Site } from "../sync/site.ts";
import type { QuarantineStatus } from "./follow/quarantine.ts";
import type { QueryLogOptions } from "./querylog/query-log.ts";
import type { RateLimits } from "./serve/rate.ts";
import type { SnapshotOptions, SnapshotStatus } from "./snapshot/edge-snapshots.ts";
import type { WatchStatus } from "./watch/watch.ts";
import type { Listening } from "./workers/listening.ts";

export interface Edge {
  /** Resolves when queries are answered, from a snapshot or the first baseline; until then they wait in the sockets. */
  readonly ready: Promise<void>;
  readonly addresses: readonly { readonly address: string; readonly port: number }[];
  metrics(): Promise<string>;
  status(): EdgeStatus;
  /** Writes a snapshot for the edge that takes over, and returns the revisions that this edge has applied by then. */
  writeSnapshot(): Promise<Revisions>;
  /** After another edge took over the sockets: reads no more datagrams, gives connections time to end, and closes. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

export interface EdgeOptions extends Listening {
  readonly site: Site;
  readonly log: Log;
  /** Queues of interfaces whose queries are read through AF_XDP, besides those that come through sockets. */
  readonly xdp?: readonly XdpQueue[];
  /** Files with the locations of clients. */
  readonly geo: readonly string[];
  /**
   * Secrets of 16 octets: the first makes cookies, and cookies made with the others are valid. If there are none, all
   * edges of a site derive the same secrets.
   */
  readonly cookieSecrets: readonly Uint8Array[];
  /** The identifier in the NSID option, at most 64 octets. */
  readonly nsid?: Uint8Array;
  /** Whether accounts that watch their queries see the addresses of clients; otherwise their networks. */
  readonly tailAddresses?: boolean;
  /** Rate limits for answers. */
  readonly limits: RateLimits;
  /** Where queries are logged. */
  readonly queryLog?: Omit<QueryLogOptions, "log"> | undefined;
  /** Networks whose zones are answered; all when left out. */
  readonly networks?: ServedNetworks;
  /** Name of this edge at its site. */
  readonly id: string;
  /** The version of this program. */
  readonly version: string;
  /** File of the master keys, which decrypt TSIG keys; without it, TSIG keys stay unknown. */
  readonly masterKeyFile?: string;
  /** Where the edge writes its snapshots; without it there are none. */
  readonly snapshots?: Omit<SnapshotOptions, "log" | "networks"> | undefined;
  /** Maximum number of zones transferred to other servers at once. */
  readonly transfers: number;
  /** Octets that the zones may use, 0 for no limit; changes that need more memory wait. */
  readonly memoryLimit: number;
  /** Milliseconds between two comparisons with the store. */
  readonly compareEvery?: number;
  /** Revisions of the previous edge on the same sockets: this edge answers once it has reached them. */
  readonly takesOver?: Revisions | undefined;
}

/** Revisions of the configuration and of the values of feeds that an edge has applied. */
export interface Revisions {
  readonly revision: number;
  readonly live: number;
}

export interface EdgeStatus {
  readonly ready: boolean;
  /** The last applied revision. */
  readonly revision: number;
  /** Milliseconds since the zones were known to be current; 0 when they are. */
  readonly behind: number;
  readonly zones: number;
  readonly records: number;
  /** Addresses that answer over UDP and TCP. */
  readonly addresses: Edge["addresses"];
  /** `revision` and `behind` of the feeds' values, and the number of values that are left out. */
  readonly live: { readonly revision: number; readonly behind: number; readonly unserved: number };
  /** Whether changes wait for memory. */
  readonly full: boolean;
  /** The first names and zones whose data made the engine fail. */
  readonly quarantined: QuarantineStatus;
  /** The comparisons with the store. */
  readonly watch: WatchStatus;
  /** Undefined without snapshots. */
  readonly snapshot: SnapshotStatus | undefined;
}
