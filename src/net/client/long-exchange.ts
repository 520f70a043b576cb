/** A DNS client for answers that have many messages, over TCP and TLS. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beginTls, explainTls, openTls, type ServerAuthentication } from "../tls/client.ts";

export interface LongExchange {
  readonly address: string;
  readonly port: number;
  /** Connects over TLS with this authentication of the server; over TCP when left out. */
  readonly tls?: ServerAuthentication | undefined;
  /** The most milliseconds to connect, and for each message. */
  readonly message: number;
  /** The most milliseconds in total. */
  readonly total: number;
  /** Cancels the exchange; its reason is thrown. */
  readonly signal: AbortSignal;
}

/** Yields the messages of the answer until the caller stops. Throws when the server closes or is too slow. */
export async function* exchangeLong(server: LongExchange, query: Uint8Array): AsyncGenerator<Uint8Array> {
  const connection = new LongConnection(server);
  try {
    yield* connection.ask(query);
  } finally {
    connection.close();
  }
}

/** A connection that the first query opens, for one query at a time. It must be closed, even after a failure. */
export class LongConnection {
  /** Whether this side closed the connection: the server was too slow, or the signal was aborted. */
  hasGivenUp = false;
  readonly #server: LongExchange;
  readonly #abort = () => this.#end(this.#server.signal.reason);
  #socket: Socket | undefined;
  #messages: AsyncGenerator<Uint8Array> | undefined;
  #whole: NodeJS.Timeout | undefined;

  constructor(server: LongExchange) {
    this.#server = server;
  }

  /** Like `exchangeLong`. The previous answer must have been read to its end. */
  async *ask(query: Uint8Array): AsyncGenerator<Uint8Array> {
    const within = (reason: string) => setTimeout(() => this.#fail(reason), this.#server.message);
    let timer = within("did not answer in time");
    try {
      this.#messages ??= await this.#open();
      this.#socket!.write(Buffer.concat([Uint8Array.of(query.length >> 8, query.length & 255), query]));
      for (;;) {
        const { done, value } = await this.#messages.next();
        clearTimeout(timer);
        if (done) throw new Error("closed the connection before its answer was complete");
        yield value;
        timer = within("did not send a message in time");
      }
    } catch (error) {
      throw explainTls(error);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    clearTimeout(this.#whole);
    this.#server.signal.removeEventListener("abort", this.#abort);
    this.#socket?.destroy();
  }

  async #open(): Promise<AsyncGenerator<Uint8Array>> {
    const { total, signal } = this.#server;
    const { socket, opened } = begin(this.#server);
    this.#socket = socket;
    // whoever waits for the socket has the error; between two waits, and before it is closed, nobody does
    socket.on("error", () => {});
    this.#whole = setTimeout(() => this.#fail("the transfer takes too long"), total);
    signal.addEventListener("abort", this.#abort, { once: true });
    if (signal.aborted) this.#abort();
    await opened();
    return messagesFrom(socket);
  }

  #fail(reason: string): void {
    this.#end(new Error(reason));
  }

  #end(reason: Error): void {
    this.hasGivenUp = true;
    this.#socket?.destroy(reason);
  }
}

/** Yields the messages of a stream. */
export async function* messagesFrom(socket: Socket): AsyncGenerator<Uint8Array> {
  const held = new HeldMessages();
  for await (const octets of socket) yield* held.take(octets);
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
      // a part can contain many small messages, so it is not copied for each
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
