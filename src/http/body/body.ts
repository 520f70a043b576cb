/** Reads a request's body with limits on size and time. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { invalid, Problem } from "../../lib/problem.ts";
import { type BodyShare, mostSmall } from "./room.ts";

/** Milliseconds for which the rest of a refused body is discarded, so that the sender reads the refusal. */
const lingering = 1000;

/** `Expect: 100-continue`: the sender waits for a 100 response before it sends the body. */
export class Continuation {
  /** Whether the sender still waits: before the 100 response, the next octets can be the body or another request. */
  isOwed: boolean;
  readonly #response: ServerResponse;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.isOwed = /100-continue/i.test(message.headers.expect ?? "");
    this.#response = response;
  }

  send(): void {
    if (this.isOwed) this.#response.writeContinue();
    this.isOwed = false;
  }
}

/** Milliseconds for the whole of a body in memory, and for the next octets of a streamed body. */
export interface BodyPatience {
  readonly whole: number;
  readonly next: number;
}

/** A body that is arriving. */
export class RequestBody {
  readonly #message: IncomingMessage;
  readonly #continuation: Continuation;
  readonly #patience: BodyPatience;

  constructor(message: IncomingMessage, continuation: Continuation, patience: BodyPatience) {
    this.#message = message;
    this.#continuation = continuation;
    this.#patience = patience;
  }

  /** Reads the whole body once `share` has room for it. Throws `too_large` above `limit` octets. */
  async whole(limit: number, share: BodyShare): Promise<Buffer> {
    const message = this.#message;
    const announced = this.#check(limit);
    if (announced > limit) return discard(message, limit);
    const length = message.headers["transfer-encoding"] === undefined ? announced : Math.min(mostSmall, limit);
    if (message.destroyed) throw cutOff();
    const arrival = new Arrival(message, { limit, length, share });
    const clear = arrival.within(this.#patience.whole);
    try {
      const waiting = share.hold(length);
      if (waiting) await Promise.race([waiting, arrival.whole]);
      this.#continuation.send();
      share.speed.begin();
      arrival.begin();
      const octets = await arrival.whole;
      share.speed.end(octets.length);
      share.shrink(octets.length);
      return octets;
    } finally {
      clear();
    }
  }

  /** Reads the body piece by piece, without holding all of it. Throws `too_large` above `limit` octets. */
  async *pieces(limit: number): AsyncGenerator<Uint8Array> {
    const message = this.#message;
    const announced = this.#check(limit);
    this.#continuation.send();
    if (announced > limit) return discard(message, limit);
    if (message.destroyed) throw cutOff();
    let size = 0;
    const impatience = setTimeout(() => message.destroy(), this.#patience.next);
    try {
      for await (const chunk of message.iterator({ destroyOnReturn: false })) {
        impatience.refresh();
        size += chunk.length;
        if (size > limit) break;
        yield chunk;
      }
    } catch (error) {
      throw error instanceof Problem ? error : cutOff();
    } finally {
      clearTimeout(impatience);
    }
    if (size > limit) await discard(message, limit);
  }

  /** Returns the announced octets. Throws if they are too many and the sender still waits for the 100 response. */
  #check(limit: number): number {
    const { headers } = this.#message;
    const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
    if (encoding !== "" && encoding !== "identity") {
      throw new Problem("unsupported_media", "the body must be sent without Content-Encoding", { encoding });
    }
    const announced = Number(headers["content-length"] ?? 0);
    if (announced > limit && this.#continuation.isOwed) throw tooLarge(limit);
    return announced;
  }
}

interface ArrivalOptions {
  readonly limit: number;
  /** The octets for which there is room. */
  readonly length: number;
  readonly share: BodyShare;
}

/** A whole body on its way. A sender that did not announce its length waits for more room when it needs more. */
class Arrival {
  /** Rejects, too, when the sender is too slow, has left, or loses its room. */
  readonly whole: Promise<Buffer>;
  readonly #resolve: (octets: Buffer | Promise<never>) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #message: IncomingMessage;
  readonly #share: BodyShare;
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #room: number;

  constructor(message: IncomingMessage, { limit, length, share }: ArrivalOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.whole = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#message = message;
    this.#share = share;
    this.#limit = limit;
    this.#room = length;
  }

  /** Limits the time, in milliseconds. Returns a function that ends the arrival. */
  within(patience: number): () => void {
    const message = this.#message;
    const impatience = setTimeout(() => this.#reject(tooLate()), patience);
    this.#share.whenLost = this.#reject;
    message.on("close", this.#leave).on("error", this.#leave);
    return () => {
      clearTimeout(impatience);
      // the listener for errors stays: an error without one would end the process
      message.off("close", this.#leave).off("data", this.#gather).off("end", this.#finish);
    };
  }

  begin(): void {
    this.#message.on("data", this.#gather).on("end", this.#finish);
  }

  readonly #leave = () => {
    if (!this.#message.readableEnded) this.#reject(cutOff());
  };

  readonly #finish = () => {
    const chunks = this.#chunks;
    this.#resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
  };

  readonly #gather = (chunk: Buffer) => {
    const message = this.#message;
    this.#size += chunk.length;
    if (this.#size > this.#limit) {
      message.off("data", this.#gather).off("end", this.#finish);
      this.#resolve(discard(message, this.#limit));
      return;
    }
    this.#chunks.push(chunk);
    if (this.#size <= this.#room) return;
    this.#room = this.#limit;
    const waiting = this.#share.hold(this.#limit);
    if (!waiting) return;
    message.pause();
    waiting.then(() => message.resume(), this.#reject);
  };
}

async function discard(message: IncomingMessage, limit: number): Promise<never> {
  await drain(message);
  throw tooLarge(limit);
}

/** Discards the rest of an unwanted body for a while, since a client that is still sending would miss the answer. */
export async function drain(message: IncomingMessage): Promise<void> {
  if (message.destroyed) return;
  const over = new AbortController();
  for (const event of ["end", "error", "close"]) message.once(event, () => over.abort());
  message.resume();
  await delay(lingering, undefined, { signal: over.signal }).catch(() => {});
}

const cutOff = () => invalid("the body was cut off");
const tooLate = () => new Problem("invalid", "the request did not arrive in time", undefined, 408);
const tooLarge = (limit: number) => new Problem("too_large", `the body is larger than ${limit} octets`, { limit });
