/**
 * The connection to one server in one look: the zone is transferred over the connection of the SOA query if the server
 * keeps it open (RFC 9103 section 6.3.1).
 */
import { exchangeLong, LongConnection, type LongExchange } from "../../../net/client/long-exchange.ts";

/** The caller must close it. */
export class PrimaryConnection {
  readonly #server: LongExchange;
  #kept: LongConnection | undefined;

  constructor(server: LongExchange) {
    this.#server = server;
  }

  /** Sends a query and returns the one message that answers it. */
  async first(query: Uint8Array): Promise<Uint8Array> {
    this.close();
    const connection = new LongConnection(this.#server);
    this.#kept = connection;
    for await (const message of connection.ask(query)) return message;
    throw new Error("closed the connection without an answer");
  }

  /** Sends a query and yields the messages that answer it until the caller stops. */
  async *messages(query: Uint8Array): AsyncGenerator<Uint8Array> {
    const kept = this.#kept;
    this.#kept = undefined;
    let isHeard = false;
    try {
      for await (const message of kept?.ask(query) ?? []) {
        isHeard = true;
        yield message;
      }
    } catch (error) {
      // a server that closed the kept connection is asked over a new one; a silent server is not
      if (isHeard || kept?.hasGivenUp) throw error;
    } finally {
      kept?.close();
    }
    yield* exchangeLong(this.#server, query);
  }

  close(): void {
    this.#kept?.close();
    this.#kept = undefined;
  }
}
