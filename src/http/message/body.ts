/** Reads a request's body with limits on size and time. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { invalid, Problem } from "../../lib/problem.ts";

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

  /** Reads the whole body. Throws `too_large` above `limit` octets. */
  async whole(limit: number): Promise<Buffer> {
    if (this.#begin(limit) > limit) return discard(this.#message, limit);
    return collect(this.#message, limit, this.#patience.whole);
  }

  /** Reads the body piece by piece, without holding all of it. Throws `too_large` above `limit` octets. */
  async *pieces(limit: number): AsyncGenerator<Uint8Array> {
    const message = this.#message;
    if (this.#begin(limit) > limit) return discard(message, limit);
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

  /** Returns the announced octets. Sends the 100 response if it is owed, or throws instead if they are too many. */
  #begin(limit: number): number {
    const { headers } = this.#message;
    const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
    if (encoding !== "" && encoding !== "identity") {
      throw new Problem("unsupported_media", "the body must be sent without Content-Encoding", { encoding });
    }
    const announced = Number(headers["content-length"] ?? 0);
    if (announced > limit && this.#continuation.isOwed) throw tooLarge(limit);
    this.#continuation.send();
    return announced;
  }
}

function collect(message: IncomingMessage, limit: number, patience: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // the client left while the caller was looked up: no event will follow
    if (message.destroyed) return reject(cutOff());
    const impatience = setTimeout(() => reject(tooLate()), patience);
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (run: () => void) => () => {
      clearTimeout(impatience);
      run();
    };
    const lost = end(() => reject(cutOff()));
    message.on("data", function gather(chunk: Buffer) {
      size += chunk.length;
      if (size <= limit) return chunks.push(chunk);
      message.off("data", gather);
      return end(() => resolve(discard(message, limit)))();
    });
    message.once("error", lost);
    message.once("close", lost);
    message.once(
      "end",
      end(() => {
        message.off("close", lost);
        resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
      }),
    );
  });
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
