/**
 * The connection to one server in one refresh: the zone is transferred over the connection of the SOA query if the server
 * keeps it open (RFC 9103 section 6.3.1).
 */
import { exchangeLong, LongConnection, type LongExchange } from "../../../net/client/long-exchange.ts";

/** The caller must close it. */
export class PrimaryConnection {
  readonly #server: LongExchange;
  #open: LongConnection | undefined;

  constructor(server: LongExchange) {
    this.#server = server;
  }

  /** Sends a query and returns the one message that answers it. */
  async first(query: Uint8Array): Promise<Uint8Array> {
    this.close();
    const connection = new LongConnection(this.#server);
    this.#open = connection;
    for await (const message of connection.ask(query)) return message;
    throw new Error("closed the connection without an answer");
  }

  /** Sends a query and yields the messages that answer it until the caller stops. */
  async *messages(query: Uint8Array): AsyncGenerator<Uint8Array> {
    const open = this.#open;
    this.#open = undefined;
    let isHeard = false;
    try {
      for await (const message of open?.ask(query) ?? []) {
        isHeard = true;
        yield message;
      }
    } catch (error) {
      // a server that closed the kept connection is asked over a new one; a silent server is not
      if (isHeard || open?.hasGivenUp) throw error;
    } finally {
      open?.close();
    }
    yield* exchangeLong(this.#server, query);
  }

  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }
}
