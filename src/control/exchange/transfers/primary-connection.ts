/**
 * What is asked of one server in one look: the zone comes over the connection that its serial was asked for over, while
 * the server keeps that open (RFC 9103 section 6.3.1).
 */
import { exchangeLong, LongConnection, type LongExchange } from "../../../net/client/long-exchange.ts";

/** To be closed. */
export class PrimaryConnection {
  readonly #server: LongExchange;
  #kept: LongConnection | undefined;

  constructor(server: LongExchange) {
    this.#server = server;
  }

  /** The one message that answers a query. */
  async first(query: Uint8Array): Promise<Uint8Array> {
    this.close();
    const connection = new LongConnection(this.#server);
    this.#kept = connection;
    for await (const message of connection.ask(query)) return message;
    throw new Error("closed the connection without an answer");
  }

  /** The messages that answer a query, until the caller has enough of them. */
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
      // one that closes what it has answered on is asked over another connection, one that is silent is not
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
