/** A worker's session: answers from an image, applies updates, and counts queries. */
import { receiveMessageOnPort } from "node:worker_threads";
import type { SteeringOptions } from "../../answer/chain/steering.ts";
import { ChainTurns } from "../../answer/chain/turns.ts";
import type { ImageShare } from "../../answer/image/memory/share.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import { LiveReader } from "../../answer/live/reader.ts";
import { Prefetch } from "../../answer/lookup/prefetch.ts";
import type { Count } from "../../answer/reply/workspace.ts";
import { headerOctets, Query } from "../../dns/wire/message.ts";
import { TimeShare } from "../../lib/fair/time-share.ts";
import { type Answer, askService, type Client, type QueryService, unfinished } from "../../net/socket/service.ts";
import { Tap } from "../querylog/tap.ts";
import { Cookies } from "../serve/cookies.ts";
import { noteWaiting } from "../serve/notice-table.ts";
import { PeerBook } from "../serve/peer-book.ts";
import { answerKind, RateLimiter } from "../serve/rate.ts";
import { createServe, type Serve } from "../serve/serve.ts";
import { signatureTime } from "../serve/signing.ts";
import { ZoneShares } from "../serve/zone-shares.ts";
import { Watched } from "../tail/watched.ts";
import { TransferRequests } from "../transfer/request.ts";
import { Sending } from "../transfer/sending.ts";
import type { UsageShare } from "../usage/table.ts";
import { UsageWriter } from "../usage/writer.ts";
import { counted, countTime, countType } from "./counters.ts";
import { FaultReports } from "./faults.ts";
import type { SessionData, WorkerReport, WorkerUpdate } from "./messages.ts";
import { steeringOptions } from "./steering.ts";

/** One answer in this many is timed; a power of two. */
const timedOneIn = 256;
/** Milliseconds that chains of a query that comes last run, before other queries are answered. */
const longestTurn = 0.05;

export class Session implements QueryService {
  readonly #data: SessionData;
  readonly #transport: "udp" | "tcp";
  readonly #report: (message: WorkerReport) => void;
  readonly #live: LiveReader;
  #usage: UsageWriter | undefined;
  readonly #tap: Tap | undefined;
  readonly #watched: Watched;
  readonly #limiter: RateLimiter;
  readonly #shares = new ZoneShares();
  readonly #turns = new ChainTurns(() => performance.now());
  readonly #signatures = new TimeShare(signatureTime.share, signatureTime.most);
  /** A query that is looked at before it is answered. */
  readonly #early = new Query();
  /** The number of the zone of the last question, and the question's type. */
  #zone = 0;
  #qtype = 0;
  /** Whether the zone is ours to answer, so that the answer is counted for it. */
  #isCounted = false;
  #idle: number;
  #cookies: Cookies;
  readonly #peers: PeerBook;
  readonly #transfers: Sending | undefined;
  readonly #requests = new TransferRequests();
  #steering: SteeringOptions;
  #image: ImageReader;
  #prefetch: Prefetch;
  #serve: Serve;
  /** Received updates that are not applied yet. */
  readonly #later: WorkerUpdate[] = [];
  /** The value of `posted` when the port was last read. */
  #taken = 0;
  readonly #faults: FaultReports;

  constructor(data: SessionData, transport: "udp" | "tcp", report: (message: WorkerReport) => void) {
    this.#data = data;
    this.#idle = data.replies.idle;
    this.#transport = transport;
    this.#report = report;
    this.#faults = new FaultReports(report);
    this.#live = new LiveReader(data.live);
    this.#usage = usageWriter(data.usage);
    this.#watched = new Watched(data.replies.tailAddresses);
    this.#watched.set(data.watched);
    this.#tap = data.tap && new Tap(data.tap, (tapped) => report({ kind: "tapped", tapped }));
    this.#steering = steeringOptions(this.#live, data.geo, data.counts);
    this.#limiter = new RateLimiter(data.replies.rates, data.replies.limits);
    this.#cookies = new Cookies(data.replies.secrets);
    this.#peers = new PeerBook(data.peers);
    this.#transfers = data.transfers && new Sending(data.transfers);
    this.#image = this.#readerOf(data.share);
    this.#prefetch = new Prefetch(this.#image);
    this.#serve = this.#serveFrom(this.#image);
    // the previous worker in this slot may have ended while it had a revision pinned
    this.#image.leave();
  }

  /** For a worker with an event loop: applies updates even while there are no queries. */
  listen(): void {
    this.#data.control
      .on("message", (update: WorkerUpdate) => {
        this.#later.push(update);
        this.#applyUpdates();
      })
      .unref();
  }

  /** From now on, clients that ask for the idle time are told to close their connection (RFC 7828 section 3.4). */
  retire(): void {
    this.#idle = 0;
    this.#serve = this.#serveFrom(this.#image);
  }

  /** Counts each query that is looked up. */
  readonly #count: Count = (found, name, qtype) => {
    this.#isCounted = found.state !== "refused";
    this.#zone = this.#isCounted ? this.#image.numberOf(found.entry) : 0;
    this.#qtype = qtype;
    if (this.#turns.isContinued) return;
    countType(this.#data.counts, qtype);
    if (this.#usage && this.#isCounted) this.#usage.count(this.#zone, found, name);
  };

  begin(): void {
    // before the batch, so that a long update is not mistaken for a spinning query
    this.#applyUpdates();
    Atomics.add(this.#data.progress, 0, 1);
    this.#showBegun();
    this.#usage?.begin();
    const now = Date.now();
    this.#live.now = now;
    this.#shares.begin(now);
    this.#signatures.refill(now);
    this.#limiter.now = now;
    this.#cookies.now = Math.floor(now / 1000);
    this.#image.enter();
    this.#watched.begin(this.#image, now);
    this.#prefetch.begin();
  }

  /** Starts the check for spinning workers, which pauses while there are no queries. */
  #showBegun(): void {
    const { begun } = this.#data;
    if (Atomics.load(begun, 0) !== 0) return;
    Atomics.store(begun, 0, 1);
    Atomics.notify(begun, 0);
  }

  get isCrowded(): boolean {
    return this.#shares.isCrowded || this.#signatures.isUsedUp;
  }

  isLast(query: Uint8Array, from: number, to: number, client: Client): boolean {
    if (this.#signatures.isUsedUp && this.#isSigned(query, from, to)) {
      // what is not verified is dropped at once
      return this.#transport !== "udp" || !this.#limiter.isSpent(client, answerKind.error);
    }
    const entry = this.#prefetch.zoneOf(query, from + headerOctets, to);
    if (entry === 0) return false;
    const zone = this.#image.numberOf(entry);
    const isHeavy = this.#shares.isHeavy(zone);
    if (isHeavy) this.#shares.putOff(zone);
    return isHeavy;
  }

  heldBack(): void {
    this.#data.counts[counted.limited]!++;
  }

  prefetch(query: Uint8Array, from: number, to: number): void {
    try {
      this.#prefetch.add(query, from + headerOctets, to);
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
    this.#note(query, from, to, client, out, at, written);
    return written;
  }

  #note(
    query: Uint8Array,
    from: number,
    to: number,
    client: Client,
    out: Uint8Array,
    at: number,
    written: number,
  ): void {
    const { counts } = this.#data;
    if (this.#tap?.isDue()) {
      const reply = written === 0 ? undefined : out.subarray(at, at + written);
      this.#tap.take(query.subarray(from, to), reply, client, client.secure ?? this.#transport);
    }
    if (written === 0) counts[counted.silent]!++;
    else {
      const rcode = out[at + 3]! & 0x0f;
      counts[counted.rcodes + rcode]!++;
      if (this.#usage && this.#isCounted)
        this.#usage.answered(this.#zone, this.#qtype, rcode, client.secure ?? this.#transport);
    }
    if (this.#isCounted) this.#show(query, from, client, written === 0 ? undefined : out[at + 3]! & 0x0f);
    this.#isCounted = false;
  }

  /** Passes on a copy of the query if somebody watches its zone. */
  #show(query: Uint8Array, from: number, { address, secure }: Client, rcode: number | undefined): void {
    const transport = secure ?? this.#transport;
    const seen = this.#watched.copy(this.#zone, this.#live.now, () => ({
      ...{ query, from, qtype: this.#qtype },
      ...{ rcode, transport, address },
      facts: this.#steering.locate(address, 0, address.length === 4 ? 4 : 16),
    }));
    if (seen) this.#report({ kind: "seen", query: seen });
  }

  readonly answerInTurns: Answer = (query, from, to, client, out, at, room) => {
    // a signature is verified once
    if (this.#isSigned(query, from, to)) return askService(this, query, from, to, client, out, at, room);
    let written = 0;
    this.#turns.begin(longestTurn);
    try {
      written = this.#serve(query, from, to, client, client.secure ?? this.#transport, out, at, room);
      if (written === unfinished) return written;
      this.#data.counts[counted.queries]!++;
      this.#note(query, from, to, client, out, at, written);
    } catch (error) {
      this.failed(error);
    } finally {
      this.#turns.end(written !== unfinished);
    }
    return written;
  };

  #isSigned(query: Uint8Array, from: number, to: number): boolean {
    return this.#early.parse(query, from, to) === "query" && this.#early.isSigned;
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
    this.#faults.query(error);
  }

  /** Applies updates in order: an image's growth must follow the image itself. */
  #applyUpdates(): void {
    // reading the port would take longer than an answer
    const count = Atomics.load(this.#data.posted, 0);
    if (count === this.#taken && this.#later.length === 0) return;
    this.#taken = count;
    for (let update = this.#next(); update; update = this.#next()) this.#apply(update);
  }

  #apply(update: WorkerUpdate): void {
    if (update.kind === "grown") {
      this.#image.update(update.share);
      return;
    }
    if (update.kind === "peers") {
      this.#peers.apply(update.change);
      return;
    }
    if (update.kind === "watched") {
      this.#watched.set(update.zones);
      return;
    }
    if (update.kind === "cookies") this.#cookies = new Cookies(update.secrets);
    else if (update.kind === "geo") this.#steering = steeringOptions(this.#live, update.geo, this.#data.counts);
    else {
      this.#image = this.#readerOf(update.share);
      this.#usage = usageWriter(update.usage);
      this.#prefetch = new Prefetch(this.#image);
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
        if (isData) this.#faults.data(this.#data.trail);
        this.failed(error);
      },
      prefetch: this.#prefetch,
      cookies: this.#cookies,
      nsid: this.#data.replies.nsid,
      idle: this.#idle,
      limiter: this.#limiter,
      signatures: this.#signatures,
      peers: () => this.#peers,
      turns: this.#turns,
      onNotify: (zone) => {
        if (noteWaiting(this.#data.replies.notices, zone.zone_id, Date.now())) this.#report({ kind: "notified", zone });
      },
      onSpent: (microseconds) => this.#shares.charge(this.#zone, microseconds),
      onLimited: () => this.#data.counts[counted.limited]!++,
      count: this.#count,
      ...this.#steering,
    });
  }

  /** During a batch, applies only growth of the image; any other update, and all after it, wait for the batch's end. */
  #catchUp(): void {
    for (let update = this.#receive(); update; update = this.#receive()) {
      if (update.kind !== "grown" || this.#later.length > 0) this.#later.push(update);
      else this.#image.update(update.share);
    }
  }

  #next(): WorkerUpdate | undefined {
    return this.#later.shift() ?? this.#receive();
  }

  #receive(): WorkerUpdate | undefined {
    return receiveMessageOnPort(this.#data.control)?.message;
  }
}

const usageWriter = (share: UsageShare | undefined) => share && new UsageWriter(share, Math.random);
