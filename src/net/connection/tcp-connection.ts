/** One connection of DNS over TCP or TLS: messages cut out of the stream, answered in order, within bounds of time and memory. */
import type { Socket } from "node:net";
import { askService, type Client, plainOctets, type QueryService } from "../socket/service.ts";
import type { ConnectionLimits } from "./connections.ts";

export interface TcpLimits extends ConnectionLimits {
  /** Milliseconds without a query after which a connection is closed. */
  readonly idle: number;
  /** Milliseconds from a message's first octet to its last. */
  readonly message: number;
  /** Milliseconds for which a client may leave answers unread once reading its queries has stopped. */
  readonly stall: number;
}

const largestMessage = 65_535;
const lengthOctets = 2;
/** A message has at least its header. */
const smallestMessage = 12;
/** Answers that a client may leave unread before its queries are no longer read. */
const unreadLimit = 1024 * 1024;

const answerRoom = lengthOctets + largestMessage;

/** Answers are gathered here before they are written; used by one connection at a time. */
const answers = new Uint8Array(4 * answerRoom);

/**
 * All whole messages were answered; the client has to read answers before there are more; a long answer is being sent;
 * nothing more is answered.
 */
type State = "answered" | "blocked" | "sending" | "ending";

export class TcpConnection {
  readonly #socket: Socket;
  readonly #service: QueryService;
  readonly #limits: TcpLimits;
  readonly #onQuery: () => void;
  readonly #client: Client;
  /** Received, but not answered: the beginning of a message, or whole ones while the client does not read. */
  readonly #held = new Held();
  #state: State = "answered";
  #halfClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** Called when the client has read, or is gone. */
  #onRead: () => void = () => {};

  /** `socket` keeps its own end open when the client ends its own. */
  constructor(socket: Socket, client: Client, service: QueryService, limits: TcpLimits, onQuery: () => void) {
    this.#socket = socket;
    this.#service = service;
    this.#limits = limits;
    this.#onQuery = onQuery;
    this.#client = client;
    // What a client does to its end of the connection is its own affair; "close" follows
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

  /** Closes as soon as the answers so far are on their way. */
  end(): void {
    this.#state = "ending";
    this.#socket.destroySoon();
    this.#closeAfter(this.#limits.stall);
  }

  #receive(octets: Uint8Array): void {
    if (this.#state === "ending") return;
    const goesOn = this.#held.length > 0;
    const data = this.#held.with(octets);
    if (this.#state === "blocked" || this.#state === "sending") return;
    const answered = this.#answerFrom(data);
    if (answered > 0) this.#onQuery();
    this.#proceed(goesOn && answered === 0);
  }

  #drained(): void {
    this.#onRead();
    if (this.#state !== "blocked") return;
    this.#goOn();
  }

  #goOn(): void {
    this.#state = "answered";
    this.#answerFrom(this.#held.with(none));
    if (this.#state === "answered") this.#socket.resume();
    this.#proceed(false);
  }

  /** Sends a long answer as fast as the client reads it; then the messages that wait are answered. */
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
    // without its end, nobody takes what was sent for whole
    if (this.#state !== "sending") socket.destroy();
    else if (!socket.destroyed) this.#goOn();
  }

  /** Resolves when the client has read all, within the time that it has for that, or is gone. */
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

  /** Sets the time within which the client has to do something; a message that still goes on gets no more of it. */
  #proceed(goesOn: boolean): void {
    if (this.#state === "sending") return;
    if (this.#state === "ending" || (this.#state === "answered" && this.#halfClosed)) this.end();
    else if (this.#state === "blocked") {
      this.#socket.pause();
      this.#closeAfter(this.#limits.stall);
    } else if (this.#held.length === 0) this.#closeAfter(this.#limits.idle);
    else if (!goesOn) this.#closeAfter(this.#limits.message);
  }

  #closeAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (!this.#socket.destroyed) this.#timer = setTimeout(() => this.#socket.destroy(), milliseconds);
  }

  /** Answers the whole messages that `data` begins with and holds the rest; returns how many octets they were. */
  #answerFrom(data: Uint8Array): number {
    let at = 0;
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
      const from = at + lengthOctets;
      const long = this.#service.transfer?.(data, from, from + length, this.#client);
      if (long) {
        this.#state = "sending";
        at = from + length;
        sending = long;
        break;
      }
      if (gathered > answers.length - answerRoom) gathered = this.#write(gathered);
      gathered += this.#answer(data, at + lengthOctets, length, gathered);
      at += lengthOctets + length;
    }
    this.#service.end();
    this.#write(gathered);
    this.#held.keep(data, at);
    if (sending) void this.#send(sending);
    return at;
  }

  /** Puts the answer with its length at `at` of `answers`; returns how many octets that takes. */
  #answer(data: Uint8Array, from: number, length: number, at: number): number {
    const out = at + lengthOctets;
    const written = askService(this.#service, data, from, from + length, this.#client, answers, out, largestMessage);
    if (written <= 0) return 0;
    answers[at] = written >> 8;
    answers[at + 1] = written & 255;
    return lengthOctets + written;
  }

  /** Always 0: that is how much is gathered afterwards. */
  #write(gathered: number): 0 {
    if (gathered > 0) this.#socket.write(answers.slice(0, gathered));
    return 0;
  }
}

/** Length of the message at `at`: undefined until it is known and, if it can be one, the whole message is there. */
function lengthAt(data: Uint8Array, at: number): number | undefined {
  const there = data.length - at - lengthOctets;
  if (there < 0) return undefined;
  const length = (data[at]! << 8) | data[at + 1]!;
  return length < smallestMessage || there >= length ? length : undefined;
}

/** The QR bit: what is sent to us as a response is never answered. */
const isResponse = (data: Uint8Array, at: number) => (data[at + lengthOctets + 2]! & 0x80) !== 0;

const none = new Uint8Array(0);

/** Octets that wait for more, in memory that doubles: a message that comes octet by octet is not copied each time. */
class Held {
  length = 0;
  #memory: Uint8Array = none;

  /** What is held followed by `octets`, both held if anything was; valid until the next call. */
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

  /** Holds what is in `data` from `at` on. */
  keep(data: Uint8Array, at: number): void {
    this.length = data.length - at;
    if (this.length === 0) this.#memory = none;
    else if (data.buffer === this.#memory.buffer) this.#memory.copyWithin(0, at, data.length);
    else this.#memory = new Uint8Array(data.subarray(at));
  }
}
