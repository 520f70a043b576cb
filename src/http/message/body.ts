/** Reading a request's body with a bound on octets and on patience. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { invalid, Problem } from "../../lib/problem.ts";

/** How long a body that nobody wants is thrown away, so that its sender reads the refusal before the connection ends. */
const lingering = 1000;

/** `Expect: 100-continue`: the sender waits for word before it sends the body. */
export class Continuation {
  /** The sender still waits: without the word its next octets could be the body or another request. */
  isOwed: boolean;
  readonly #response: ServerResponse;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.isOwed = /100-continue/i.test(message.headers.expect ?? "");
    this.#response = response;
  }

  give(): void {
    if (this.isOwed) this.#response.writeContinue();
    this.isOwed = false;
  }
}

/** Milliseconds for a body that is held in memory, and for the next octets of one that is not. */
export interface BodyPatience {
  readonly whole: number;
  readonly next: number;
}

/** A body as it comes in. */
export class RequestBody {
  readonly #message: IncomingMessage;
  readonly #continuation: Continuation;
  readonly #patience: BodyPatience;

  constructor(message: IncomingMessage, continuation: Continuation, patience: BodyPatience) {
    this.#message = message;
    this.#continuation = continuation;
    this.#patience = patience;
  }

  /** All of it. Throws `too_large` above `limit` octets. */
  async whole(limit: number): Promise<Buffer> {
    if (this.#begin(limit) > limit) return discard(this.#message, limit);
    return collect(this.#message, limit, this.#patience.whole);
  }

  /** Piece by piece, so that nobody has to hold all of it. Throws `too_large` above `limit` octets. */
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

  /** The octets that are announced; the sender is told to go on unless it knows already that they are too many. */
  #begin(limit: number): number {
    const { headers } = this.#message;
    const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
    if (encoding !== "" && encoding !== "identity") {
      throw new Problem("unsupported_media", "the body must be sent without Content-Encoding", { encoding });
    }
    const announced = Number(headers["content-length"] ?? 0);
    if (announced > limit && this.#continuation.isOwed) throw tooLarge(limit);
    this.#continuation.give();
    return announced;
  }
}

function collect(message: IncomingMessage, limit: number, patience: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Gone while the caller was being looked up: no event will tell.
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

/** Throws away the rest of a body that nobody wants, for a while: whoever still sends would miss the answer. */
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
