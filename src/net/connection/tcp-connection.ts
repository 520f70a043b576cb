/** A connection of DNS over TCP or TLS: splits the stream into messages and answers in order, with strict limits. */
import type { Socket } from "node:net";
import { askService, type Client, plainOctets, type QueryService } from "../socket/service.ts";
import type { ConnectionLimits } from "./connections.ts";
import { type ConnectionTurns, turn } from "./turns.ts";

export interface TcpLimits extends ConnectionLimits {
  /** Milliseconds without a query after which a connection is closed. */
  readonly idle: number;
  /** Milliseconds from a message's first octet to its last. */
  readonly message: number;
  /** Milliseconds for which a client may leave answers unread after its queries are no longer read. */
  readonly stall: number;
}

const largestMessage = 65_535;
const lengthOctets = 2;
/** The octets of a header. */
const smallestMessage = 12;
/** The octets of unread answers above which a client's queries are no longer read. */
export const unreadLimit = 256 * 1024;

const answerRoom = lengthOctets + largestMessage;

/** Gathers answers before they are written; one connection uses it at a time. */
const answers = new Uint8Array(4 * answerRoom);

/**
 * `answered`: all complete messages are answered. `waiting`: it is the turn of other connections. `blocked`: the client
 * must read answers first. `sending`: a long answer is being sent. `ending`: no more messages are answered.
 */
type State = "answered" | "waiting" | "blocked" | "sending" | "ending";

export interface TcpConnectionOptions {
  readonly client: Client;
  readonly service: QueryService;
  readonly limits: TcpLimits;
  readonly turns: ConnectionTurns;
  readonly onQuery: () => void;
}

export class TcpConnection {
  readonly #socket: Socket;
  readonly #service: QueryService;
  readonly #limits: TcpLimits;
  readonly #turns: ConnectionTurns;
  readonly #onQuery: () => void;
  readonly #client: Client;
  /** Received but not answered: the start of a message, or complete messages while the client does not read. */
  readonly #held = new Held();
  #state: State = "answered";
  /** Whether a connection that waits has a query that is answered last. */
  #isLast = false;
  #halfClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** Called when the client has read the answers, or is gone. */
  #onRead: () => void = () => {};

  /** `socket` must be one that keeps its own end open when the client ends its side (allowHalfOpen). */
  constructor(socket: Socket, { client, service, limits, turns, onQuery }: TcpConnectionOptions) {
    this.#socket = socket;
    this.#service = service;
    this.#limits = limits;
    this.#turns = turns;
    this.#onQuery = onQuery;
    this.#client = client;
    // errors of the client's side need no handling; "close" follows
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(this.#timer);
      this.#onRead();
    });
    socket.on("data", (octets) => this.#receive(plainOctets(octets)));
    socket.on("drain", () => this.#drained());
    socket.on("end", () => this.#ended());
    this.#closeAfter(limits.idle);
  }

  /** Closes the connection once the answers so far are sent. */
  end(): void {
    this.#state = "ending";
    this.#socket.destroySoon();
    this.#closeAfter(this.#limits.stall);
  }

  #receive(octets: Uint8Array): void {
    if (this.#state === "ending") return;
    const isContinued = this.#held.length > 0;
    const data = this.#held.with(octets);
    if (this.#state !== "answered") return;
    if (!this.#turns.isFree) {
      this.#held.keep(data, 0);
      this.#wait();
      return;
    }
    const answered = this.#answerFrom(data);
    if (answered > 0) this.#onQuery();
    this.#proceed(isContinued && answered === 0);
  }

  #drained(): void {
    this.#onRead();
    if (this.#state !== "blocked") return;
    if (this.#turns.isFree) this.#resume();
    else this.#wait();
  }

  /** Reads no more queries until it is the connection's turn. */
  #wait(): void {
    this.#state = "waiting";
    this.#socket.pause();
    clearTimeout(this.#timer);
    const isLast = this.#isLast;
    this.#isLast = false;
    this.#turns.wait(() => {
      if (this.#state === "waiting" && !this.#socket.destroyed) this.#resume(isLast);
    }, isLast);
  }

  /** `isLate`: in a turn for the first query that waits, which is answered last. */
  #resume(isLate = false): void {
    this.#state = "answered";
    if (this.#answerFrom(this.#held.with(none), isLate) > 0) this.#onQuery();
    if (this.#state === "answered") this.#socket.resume();
    this.#proceed(false);
  }

  /** Sends a long answer as fast as the client reads it; then answers the waiting messages. */
  async #send(messages: AsyncIterable<Uint8Array>): Promise<void> {
    const socket = this.#socket;
    socket.pause();
    clearTimeout(this.#timer);
    try {
      for await (const message of messages) {
        if (this.#state !== "sending" || socket.destroyed) break;
        socket.write(Uint8Array.of(message.length >> 8, message.length));
        socket.write(message);
        if (socket.writableLength > unreadLimit / 2) await this.#read();
      }
    } catch (error) {
      this.#state = "ending";
      this.#service.failed(error);
    }
    // a connection closed before the end shows that the answer is incomplete
    if (this.#state !== "sending") socket.destroy();
    else if (!socket.destroyed) this.#resume();
  }

  /** Resolves when the client has read all answers or is gone; closes the connection if that takes too long. */
  async #read(): Promise<void> {
    this.#closeAfter(this.#limits.stall);
    await new Promise<void>((resolve) => {
      this.#onRead = resolve;
    });
    clearTimeout(this.#timer);
  }

  #ended(): void {
    this.#halfClosed = true;
    if (this.#state === "answered") this.end();
  }

  /** Starts the timeout for the client's next step; more octets of an incomplete message do not restart it. */
  #proceed(isContinued: boolean): void {
    if (this.#state === "sending") return;
    if (this.#state === "ending" || (this.#state === "answered" && this.#halfClosed)) this.end();
    else if (this.#state === "waiting") this.#wait();
    else if (this.#state === "blocked") {
      this.#socket.pause();
      this.#closeAfter(this.#limits.stall);
    } else if (this.#held.length === 0) this.#closeAfter(this.#limits.idle);
    else if (!isContinued) this.#closeAfter(this.#limits.message);
  }

  #closeAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (!this.#socket.destroyed) this.#timer = setTimeout(() => this.#socket.destroy(), milliseconds);
  }

  /**
   * Answers the complete messages at the start of `data`, as many as one turn allows, and holds the rest. Returns the
   * octets of the messages.
   */
  #answerFrom(data: Uint8Array, isLate = false): number {
    const started = this.#turns.now();
    let at = 0;
    let answered = 0;
    let gathered = 0;
    let sending: AsyncIterable<Uint8Array> | undefined;
    this.#service.begin();
    for (let length = lengthAt(data, at); length !== undefined; length = lengthAt(data, at)) {
      if (length < smallestMessage || isResponse(data, at)) {
        this.#state = "ending";
        break;
      }
      if (this.#socket.writableLength + gathered > unreadLimit - answerRoom) {
        this.#state = "blocked";
        break;
      }
      if (answered >= turn.octets || this.#turns.now() - started >= turn.time) {
        this.#state = "waiting";
        break;
      }
      const from = at + lengthOctets;
      const isNext = isLate && at === 0;
      if (this.#service.isCrowded && !isNext && this.#service.isLast?.(data, from, from + length, this.#client)) {
        this.#state = "waiting";
        this.#isLast = true;
        break;
      }
      const long = this.#service.transfer?.(data, from, from + length, this.#client);
      if (long) {
        this.#state = "sending";
        at = from + length;
        sending = long;
        break;
      }
      if (gathered > answers.length - answerRoom) gathered = this.#write(gathered);
      const written = this.#answer(data, at + lengthOctets, length, gathered);
      gathered += written;
      answered += written;
      at += lengthOctets + length;
    }
    this.#service.end();
    this.#write(gathered);
    this.#turns.use(started);
    this.#held.keep(data, at);
    if (sending) void this.#send(sending);
    return at;
  }

  /** Writes the answer with its length at `at` of `answers`; returns the number of octets. */
  #answer(data: Uint8Array, from: number, length: number, at: number): number {
    const out = at + lengthOctets;
    const written = askService(this.#service, data, from, from + length, this.#client, answers, out, largestMessage);
    if (written <= 0) return 0;
    answers[at] = written >> 8;
    answers[at + 1] = written & 255;
    return lengthOctets + written;
  }

  /** Writes the gathered answers; returns 0, the octets gathered afterwards. */
  #write(gathered: number): 0 {
    if (gathered > 0) this.#socket.write(answers.slice(0, gathered));
    return 0;
  }
}

/** Returns the length of the message at `at`; undefined while it is incomplete, unless the length is invalid. */
function lengthAt(data: Uint8Array, at: number): number | undefined {
  const there = data.length - at - lengthOctets;
  if (there < 0) return undefined;
  const length = (data[at]! << 8) | data[at + 1]!;
  return length < smallestMessage || there >= length ? length : undefined;
}

/** Whether the QR bit is set: responses are never answered. */
const isResponse = (data: Uint8Array, at: number) => (data[at + lengthOctets + 2]! & 0x80) !== 0;

const none = new Uint8Array(0);

/** Octets of incomplete messages, in memory that doubles, so that a message in many pieces is not copied each time. */
class Held {
  length = 0;
  #memory: Uint8Array = none;

  /** Returns the held octets followed by `octets`, valid until the next call. Holds both if any were held. */
  with(octets: Uint8Array): Uint8Array {
    if (this.length === 0) return octets;
    const length = this.length + octets.length;
    if (length > this.#memory.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#memory.length));
      larger.set(this.#memory.subarray(0, this.length));
      this.#memory = larger;
    }
    this.#memory.set(octets, this.length);
    this.length = length;
    return this.#memory.subarray(0, length);
  }

  /** Holds the octets of `data` from `at` on. */
  keep(data: Uint8Array, at: number): void {
    this.length = data.length - at;
    if (this.length === 0) this.#memory = none;
    else if (data.buffer === this.#memory.buffer) this.#memory.copyWithin(0, at, data.length);
    else this.#memory = new Uint8Array(data.subarray(at));
  }
}
