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
    const { signal, clear } = endOf(message, this.#patience.whole, share.input.signal);
    try {
      await orEnd(share.hold(length), signal);
      this.#continuation.send();
      const octets = await share.input.answer(collect(message, { limit, length, share, signal }));
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

/** A signal that is aborted when the sender is too slow, has left, or loses its room. */
function endOf(message: IncomingMessage, patience: number, lost: AbortSignal) {
  const ending = new AbortController();
  const impatience = setTimeout(() => ending.abort(tooLate()), patience);
  const leave = () => {
    if (!message.readableEnded) ending.abort(cutOff());
  };
  const lose = () => ending.abort(lost.reason);
  message.once("close", leave).once("error", leave);
  lost.addEventListener("abort", lose);
  // the client left while the caller was looked up: no event will follow
  if (message.destroyed) leave();
  const clear = () => {
    clearTimeout(impatience);
    message.off("close", leave);
    lost.removeEventListener("abort", lose);
  };
  return { signal: ending.signal, clear };
}

/** Resolves or rejects like the promise, or rejects when the signal is aborted. */
function orEnd<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    const clear = () => signal.removeEventListener("abort", end);
    promise.then(resolve, reject).then(clear);
  });
}

interface Collecting {
  readonly limit: number;
  /** The octets for which there is room. */
  readonly length: number;
  readonly share: BodyShare;
  readonly signal: AbortSignal;
}

/** Collects the body. A sender that did not announce its length waits for more room when it needs more. */
function collect(message: IncomingMessage, { limit, length, share, signal }: Collecting): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let room = length;
  let stop = () => {};
  const collected = new Promise<Buffer>((resolve, reject) => {
    const gather = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        stop();
        return resolve(discard(message, limit));
      }
      chunks.push(chunk);
      if (size <= room) return;
      room = limit;
      message.pause();
      share.hold(limit).then(() => message.resume(), reject);
    };
    const finish = () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    message.on("data", gather).once("end", finish);
    stop = () => message.off("data", gather).off("end", finish);
  });
  return orEnd(collected, signal).finally(() => stop());
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
