/** A worker's part of the edge: the image that it answers from, what it is told, and what it counts. */
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { SteeringOptions } from "../../answer/chain/steering.ts";
import type { ImageShare } from "../../answer/image/memory/share.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { LiveReader } from "../../answer/live/reader.ts";
import type { LiveShare } from "../../answer/live/share.ts";
import { Foresight } from "../../answer/lookup/foresight.ts";
import type { Trail } from "../../answer/lookup/lookup.ts";
import type { Count } from "../../answer/reply/workspace.ts";
import { headerOctets } from "../../dns/wire/message.ts";
import type { GeoData } from "../../geo/facts/data.ts";
import type { Client, QueryService } from "../../net/socket/service.ts";
import { type Incoming, noPeers, type Peers } from "../../sync/peers.ts";
import type { DataFault } from "../follow/quarantine.ts";
import type { Tapped } from "../querylog/dnstap-message.ts";
import { Tap, type TapShare } from "../querylog/tap.ts";
import { Cookies } from "../serve/cookies.ts";
import { PeerBook } from "../serve/peer-book.ts";
import { RateLimiter, type RateLimits, type RateTable } from "../serve/rate.ts";
import { createServe, type Serve } from "../serve/serve.ts";
import { TransferRequests } from "../transfer/request.ts";
import { Sending } from "../transfer/sending.ts";
import type { TransfersOptions } from "../transfer/transfers.ts";
import type { UsageShare } from "../usage/table.ts";
import { UsageWriter } from "../usage/writer.ts";
import { counted, countTime, countType } from "./counters.ts";
import { steeringOptions } from "./steering.ts";

/** What a worker is told while it runs. */
export type Told =
  /** The image got more memory. */
  | { readonly kind: "grown"; readonly share: ImageShare }
  /** Answers come from another image from now on, and what is asked of it is counted apart. */
  | { readonly kind: "image"; readonly share: ImageShare; readonly usage?: UsageShare }
  /** The geo files were read again. */
  | { readonly kind: "geo"; readonly geo: GeoData }
  /** Keys, or who may do what with zones, have changed. */
  | { readonly kind: "peers"; readonly peers: Peers }
  /** Cookies are made with other secrets. */
  | { readonly kind: "cookies"; readonly secrets: readonly Uint8Array[] };

/** What a worker tells. */
export type Tells =
  | { readonly kind: "listening"; readonly port: number }
  /** The certificate was read; or was not, for a reason. */
  | { readonly kind: "certificate"; readonly reason?: string }
  /** A primary says that a zone has changed. */
  | { readonly kind: "notified"; readonly zone: Incoming }
  /** A query for the query log. */
  | { readonly kind: "tapped"; readonly tapped: Tapped }
  /** Faults in queries since the last message. */
  | { readonly kind: "faults"; readonly count: number; readonly error: string }
  /** Data made a query fail. */
  | { readonly kind: "data-fault"; readonly fault: DataFault };

/** What replies have beside their answers, and how many of them there are. */
export interface ReplySettings {
  /** Of cookies: 16 octets each, the one that makes them first. */
  readonly secrets: readonly Uint8Array[];
  /** The identifier of this server; not told without it. */
  readonly nsid?: Uint8Array;
  readonly rates: RateTable;
  readonly limits: RateLimits;
  /** Milliseconds for which an idle connection is kept. */
  readonly idle: number;
}

export interface SessionData {
  /** The image reader's slot: no other living worker has it. */
  readonly slot: number;
  readonly share: ImageShare;
  /** What feeds say; nothing without it. */
  readonly live?: LiveShare;
  /** Of zones that are transferred; none is without it. */
  readonly transfers?: TransfersOptions;
  /** Keys, and who may do what with zones; nobody without it. */
  readonly peers?: Peers;
  /** What is known of clients; nothing without it. */
  readonly geo?: GeoData;
  readonly replies: ReplySettings;
  readonly control: MessagePort;
  /** Grows with each message to `control`, once that is there. */
  readonly told: Int32Array<SharedArrayBuffer>;
  readonly counts: Float64Array;
  /** What is asked of the image's zones and records; not counted without it. */
  readonly usage?: UsageShare;
  /** Which queries are logged; none without it. */
  readonly tap?: TapShare;
  /** Odd while queries are answered, and never the same twice. */
  readonly progress: Int32Array<SharedArrayBuffer>;
  /** Where the engine is, for who finds it spinning; nobody is told without it. */
  readonly trail?: Trail;
}

const faultReportPause = 1000;
/** One answer in so many is timed; a power of two. */
const timedOneIn = 256;

export class Session implements QueryService {
  readonly #data: SessionData;
  readonly #transport: "udp" | "tcp";
  readonly #tell: (message: Tells) => void;
  readonly #live: LiveReader | undefined;
  #usage: UsageWriter | undefined;
  readonly #tap: Tap | undefined;
  readonly #limiter: RateLimiter;
  #idle: number;
  #cookies: Cookies;
  #peers: PeerBook;
  readonly #transfers: Sending | undefined;
  readonly #requests = new TransferRequests();
  #steering: SteeringOptions;
  #image: ImageReader;
  #foresight: Foresight;
  #serve: Serve;
  /** Told, but not taken in yet: what concerns another image waits while queries are answered from this one. */
  readonly #later: Told[] = [];
  /** As `told` was when the port was last looked into. */
  #taken = 0;
  #dataFaultAt = Number.NEGATIVE_INFINITY;
  #faults = { count: 0, reportedAt: Number.NEGATIVE_INFINITY };

  constructor(data: SessionData, transport: "udp" | "tcp", tell: (message: Tells) => void) {
    this.#data = data;
    this.#idle = data.replies.idle;
    this.#transport = transport;
    this.#tell = tell;
    this.#live = data.live && new LiveReader(data.live);
    this.#usage = usageWriter(data.usage);
    this.#tap = data.tap && new Tap(data.tap, (tapped) => tell({ kind: "tapped", tapped }));
    this.#steering = steeringOptions(this.#live, data.geo, data.counts);
    this.#limiter = new RateLimiter(data.replies.rates, data.replies.limits);
    this.#cookies = new Cookies(data.replies.secrets);
    this.#peers = new PeerBook(data.peers ?? noPeers);
    this.#transfers = data.transfers && new Sending(data.transfers);
    this.#image = this.#readerOf(data.share);
    this.#foresight = new Foresight(this.#image);
    this.#serve = this.#serveFrom(this.#image);
    // whoever had the slot before may have died with a revision pinned
    this.#image.leave();
  }

  /** For a worker with an event loop: takes in what it is told also while there are no queries. */
  listen(): void {
    this.#data.control
      .on("message", (told: Told) => {
        this.#later.push(told);
        this.#takeIn();
      })
      .unref();
  }

  /** From now on clients that ask how long an idle connection is kept are told to close theirs (RFC 7828 section 3.4). */
  retire(): void {
    this.#idle = 0;
    this.#serve = this.#serveFrom(this.#image);
  }

  /** Of queries whose names are looked up. */
  readonly #count: Count = (found, name, qtype) => {
    countType(this.#data.counts, qtype);
    if (this.#usage && found.state !== "refused") this.#usage.count(this.#image.numberOf(found.entry), found, name);
  };

  begin(): void {
    // before, because what takes long in it is no query that spins
    this.#takeIn();
    Atomics.add(this.#data.progress, 0, 1);
    this.#usage?.begin();
    const now = Date.now();
    if (this.#live) this.#live.now = now;
    this.#limiter.now = now;
    this.#cookies.now = Math.floor(now / 1000);
    this.#image.enter();
    this.#foresight.begin();
  }

  foresee(query: Uint8Array, from: number, to: number): void {
    try {
      this.#foresight.add(query, from + headerOctets, to);
    } catch (error) {
      this.failed(error);
    }
  }

  answer(
    query: Uint8Array,
    from: number,
    to: number,
    client: Client,
    out: Uint8Array,
    at: number,
    room: number,
  ): number {
    const { counts } = this.#data;
    const isTimed = (++counts[counted.queries]! & (timedOneIn - 1)) === 0;
    const startedAt = isTimed ? performance.now() : 0;
    const written = this.#serve(query, from, to, client, client.secure ?? this.#transport, out, at, room);
    if (client.secure) counts[counted.secure[client.secure]]!++;
    if (isTimed) countTime(counts, (performance.now() - startedAt) * 1e6);
    if (this.#tap?.isDue()) {
      const reply = written === 0 ? undefined : out.subarray(at, at + written);
      this.#tap.take(query.subarray(from, to), reply, client, client.secure ?? this.#transport);
    }
    if (written === 0) counts[counted.silent]!++;
    else counts[counted.rcodes + (out[at + 3]! & 0x0f)]!++;
    return written;
  }

  transfer(query: Uint8Array, from: number, to: number, client: Client): AsyncIterable<Uint8Array> | undefined {
    if (!this.#transfers || client.secure === "https") return undefined;
    const request = this.#requests.read(this.#peers, query, from, to, client);
    if (request) this.#data.counts[counted.queries]!++;
    return request && this.#transfers.run(request);
  }

  end(): void {
    this.#image.leave();
    Atomics.add(this.#data.progress, 0, 1);
  }

  failed(error: unknown): void {
    this.#data.counts[counted.faults]!++;
    this.#faults.count++;
    const now = performance.now();
    if (now - this.#faults.reportedAt < faultReportPause) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#tell({ kind: "faults", count: this.#faults.count, error: text });
    this.#faults = { count: 0, reportedAt: now };
  }

  #tellOfData(): void {
    const [data = 0, name = 0] = this.#data.trail ?? [];
    const now = performance.now();
    if (now - this.#dataFaultAt < faultReportPause) return;
    this.#dataFaultAt = now;
    this.#tell({ kind: "data-fault", fault: { data, name, how: "throws" } });
  }

  /** In the order in which it was told: memory that an image got comes after the image. */
  #takeIn(): void {
    // where a worker has slept a while, to look into the port takes longer than an answer
    const count = Atomics.load(this.#data.told, 0);
    if (count === this.#taken && this.#later.length === 0) return;
    this.#taken = count;
    for (let told = this.#next(); told; told = this.#next()) this.#take(told);
  }

  #take(told: Told): void {
    if (told.kind === "grown") {
      this.#image.update(told.share);
      return;
    }
    if (told.kind === "peers") {
      this.#peers = new PeerBook(told.peers);
      return;
    }
    if (told.kind === "cookies") this.#cookies = new Cookies(told.secrets);
    else if (told.kind === "geo") this.#steering = steeringOptions(this.#live, told.geo, this.#data.counts);
    else {
      this.#image = this.#readerOf(told.share);
      this.#usage = usageWriter(told.usage);
      this.#foresight = new Foresight(this.#image);
    }
    this.#serve = this.#serveFrom(this.#image);
  }

  #readerOf(share: ImageShare): ImageReader {
    return new ImageReader(share, this.#data.slot, () => this.#catchUp());
  }

  #serveFrom(image: ImageReader): Serve {
    return createServe(image, {
      trail: this.#data.trail,
      onFault: (error, isData) => {
        if (isData) this.#tellOfData();
        this.failed(error);
      },
      foresight: this.#foresight,
      cookies: this.#cookies,
      nsid: this.#data.replies.nsid,
      idle: this.#idle,
      limiter: this.#limiter,
      peers: () => this.#peers,
      onNotify: (zone) => this.#tell({ kind: "notified", zone }),
      onLimited: () => this.#data.counts[counted.limited]!++,
      count: this.#count,
      ...this.#steering,
    });
  }

  /** The image has grown while queries are answered from it; another one has to wait until they are. */
  #catchUp(): void {
    for (let told = this.#receive(); told; told = this.#receive()) {
      if (told.kind !== "grown" || this.#later.length > 0) this.#later.push(told);
      else this.#image.update(told.share);
    }
  }

  #next(): Told | undefined {
    return this.#later.shift() ?? this.#receive();
  }

  #receive(): Told | undefined {
    return receiveMessageOnPort(this.#data.control)?.message;
  }
}

const usageWriter = (share: UsageShare | undefined) => share && new UsageWriter(share, Math.random);
