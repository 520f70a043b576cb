/** Reading a request's body with a bound on octets and on patience. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { invalid, Problem } from "../lib/problem.ts";

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

export async function readBody(message: IncomingMessage, limit: number, continuation: Continuation): Promise<Buffer> {
  const encoding = message.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") {
    throw new Problem("unsupported_media", "the body must be sent without Content-Encoding", { encoding });
  }
  const announced = Number(message.headers["content-length"] ?? 0);
  if (announced > limit && continuation.isOwed) throw tooLarge(limit);
  continuation.give();
  return announced > limit ? discard(message, limit) : collect(message, limit);
}

function collect(message: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const cutOff = () => reject(invalid("the body was cut off"));
    // Gone while the caller was being looked up: no event will tell.
    if (message.destroyed) return cutOff();
    const chunks: Buffer[] = [];
    let size = 0;
    message.on("data", function gather(chunk: Buffer) {
      size += chunk.length;
      if (size <= limit) return chunks.push(chunk);
      message.off("data", gather);
      return resolve(discard(message, limit));
    });
    message.once("error", cutOff);
    message.once("close", cutOff);
    message.once("end", () => {
      message.off("close", cutOff);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
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

const tooLarge = (limit: number) => new Problem("too_large", `the body is larger than ${limit} octets`, { limit });
