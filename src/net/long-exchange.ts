/** A DNS client for answers in many messages, over TCP and TLS. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beginTls, explainTls, openTls, type ServerAuthentication } from "./tls-client.ts";

export interface LongExchange {
  readonly address: string;
  readonly port: number;
  /** Over TLS, with what the server has to prove; over TCP without it. */
  readonly tls?: ServerAuthentication | undefined;
  /** Milliseconds to connect, and for each message. */
  readonly message: number;
  /** Milliseconds for everything. */
  readonly total: number;
  readonly signal: AbortSignal;
}

/** The messages that follow one query, until the caller has enough of them. Throws when the server ends, or is too slow. */
export async function* exchangeLong(server: LongExchange, query: Uint8Array): AsyncGenerator<Uint8Array> {
  const { message, total, signal } = server;
  const { socket, opened } = begin(server);
  const fail = (reason: string) => () => socket.destroy(new Error(reason));
  const whole = setTimeout(fail("the transfer takes too long"), total);
  let timer = setTimeout(fail("did not answer in time"), message);
  const abort = fail("the service ends");
  signal.addEventListener("abort", abort, { once: true });
  try {
    if (signal.aborted) abort();
    await opened();
    socket.write(Buffer.concat([Uint8Array.of(query.length >> 8, query.length & 255), query]));
    const held = new HeldMessages();
    for await (const octets of socket) {
      for (const received of held.take(octets)) {
        clearTimeout(timer);
        yield received;
        timer = setTimeout(fail("did not send a message in time"), message);
      }
    }
    throw new Error("closed the connection before its answer was complete");
  } catch (error) {
    throw explainTls(error);
  } finally {
    clearTimeout(timer);
    clearTimeout(whole);
    signal.removeEventListener("abort", abort);
    socket.destroy();
  }
}

/** The first message that follows a query. */
export async function exchangeFirst(server: LongExchange, query: Uint8Array): Promise<Uint8Array> {
  for await (const message of exchangeLong(server, query)) return message;
  throw new Error("closed the connection without an answer");
}

function begin({ address, port, tls }: LongExchange): { socket: Socket; opened: () => Promise<unknown> } {
  if (!tls) {
    const socket = connect({ host: address, port });
    return { socket, opened: () => once(socket, "connect") };
  }
  const socket = beginTls(address, port, tls);
  return { socket, opened: () => openTls(socket, tls) };
}

/** Cuts messages out of a stream. */
class HeldMessages {
  #parts: Buffer[] = [];
  #length = 0;

  *take(octets: Buffer): Generator<Uint8Array> {
    this.#parts.push(octets);
    this.#length += octets.length;
    while (this.#length >= 2) {
      const need = 2 + this.#size();
      if (this.#length < need) return;
      // a part may hold many small messages: it is not copied for each
      const all = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#length);
      this.#parts = [all.subarray(need)];
      this.#length -= need;
      yield new Uint8Array(all.subarray(2, need));
    }
  }

  #size(): number {
    if (this.#parts[0]!.length < 2) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0]!.readUInt16BE();
  }
}
