/** Messages between the main thread of an edge and its workers, and the data that a worker starts with. */
import type { MessagePort } from "node:worker_threads";
import type { ImageShare } from "../../answer/image/memory/share.ts";
import type { LiveShare } from "../../answer/live/share.ts";
import type { Trail } from "../../answer/lookup/lookup.ts";
import type { GeoData } from "../../geo/facts/data.ts";
import type { Incoming, Peers, PeersChange } from "../../sync/peers.ts";
import type { TailQuery } from "../../sync/usage.ts";
import type { DataFault } from "../follow/quarantine.ts";
import type { Tapped } from "../querylog/dnstap-message.ts";
import type { TapShare } from "../querylog/tap.ts";
import type { NoticeTable } from "../serve/notice-table.ts";
import type { RateLimits, RateTable } from "../serve/rate.ts";
import type { TransfersOptions } from "../transfer/transfers.ts";
import type { UsageShare } from "../usage/table.ts";

/** Sent to a worker while it runs. */
export type WorkerUpdate =
  /** The image got more memory. */
  | { readonly kind: "grown"; readonly share: ImageShare }
  /** Answers come from another image from now on; its queries are counted separately. */
  | { readonly kind: "image"; readonly share: ImageShare; readonly usage?: UsageShare }
  /** The geo files were read again. */
  | { readonly kind: "geo"; readonly geo: GeoData }
  /** Keys or partners of zones have changed. */
  | { readonly kind: "peers"; readonly change: PeersChange }
  /** Cookies are made with other secrets. */
  | { readonly kind: "cookies"; readonly secrets: readonly Uint8Array[] }
  /** Somebody watches the queries for these zones, and for no others. */
  | { readonly kind: "watched"; readonly zones: readonly string[] };

/** Sent by a worker. */
export type WorkerReport =
  | { readonly kind: "listening"; readonly port: number }
  /** The certificate was read, or could not be read for a reason. */
  | { readonly kind: "certificate"; readonly reason?: string }
  /** A primary notified that a zone has changed. */
  | { readonly kind: "notified"; readonly zone: Incoming }
  /** A query for the query log. */
  | { readonly kind: "tapped"; readonly tapped: Tapped }
  /** A query for a watched zone. */
  | { readonly kind: "seen"; readonly query: TailQuery }
  /** Faults in queries since the last message. */
  | { readonly kind: "faults"; readonly count: number; readonly error: string }
  /** Data made a query fail. */
  | { readonly kind: "data-fault"; readonly fault: DataFault };

/** Settings of replies besides their answers, limits on their number, and what is told about them. */
export interface ReplySettings {
  /** Secrets of cookies, 16 octets each; the first makes cookies. */
  readonly secrets: readonly Uint8Array[];
  /** The identifier of this server for NSID. */
  readonly nsid?: Uint8Array;
  readonly rates: RateTable;
  readonly notices: NoticeTable;
  readonly limits: RateLimits;
  /** Milliseconds for which an idle connection is kept. */
  readonly idle: number;
  /** Whether accounts that watch their queries see the addresses of clients; otherwise their networks. */
  readonly tailAddresses: boolean;
}

export interface SessionData {
  /** The slot of the image reader: no other running worker has it. */
  readonly slot: number;
  readonly share: ImageShare;
  /** The values of feeds. */
  readonly live: LiveShare;
  /** When left out, no zone is transferred. */
  readonly transfers?: TransfersOptions;
  /** Keys and partners of zones. */
  readonly peers: Peers;
  /** Facts about clients. */
  readonly geo?: GeoData;
  readonly replies: ReplySettings;
  readonly control: MessagePort;
  /** Number of messages to `control`: grows after each is posted. */
  readonly posted: Int32Array<SharedArrayBuffer>;
  readonly counts: Float64Array;
  /** Counters of queries for zones and records of the image. */
  readonly usage?: UsageShare;
  /** The zones whose queries somebody watches. */
  readonly watched: readonly string[];
  /** Sampling of queries for the log. */
  readonly tap?: TapShare;
  /** Odd while queries are answered; different for each batch. */
  readonly progress: Int32Array<SharedArrayBuffer>;
  /** Word 0, shared by all workers: set and notified by a worker that begins to answer. */
  readonly begun: Int32Array<SharedArrayBuffer>;
  /** The engine's current position in the data, for the check for spinning workers. */
  readonly trail: Trail;
}
