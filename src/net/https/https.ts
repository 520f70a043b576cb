/** DNS over HTTPS (RFC 8484) on connections after their TLS handshake: HTTP/2, or HTTP/1.1 for clients without it. */
import type { TLSSocket } from "node:tls";
import type { TcpLimits } from "../connection/tcp-connection.ts";
import type { ConnectionTurns } from "../connection/turns.ts";
import type { Client, QueryService } from "../socket/service.ts";
import { answerDoh, isLastDoh, type Reply } from "./doh.ts";
import { Http1 } from "./http1.ts";
import { serveHttp2 } from "./http2.ts";

/** A connection with either version of HTTP. */
export interface HttpConnection {
  readonly socket: TLSSocket;
  readonly limits: TcpLimits;
  readonly turns: ConnectionTurns;
  /** Answers when it is the connection's turn. */
  readonly answer: (query: Uint8Array) => Reply | Promise<Reply>;
  /** Closes the connection after so many milliseconds, unless this function is called again before. */
  readonly closeAfter: (milliseconds: number) => void;
}

interface Served {
  readonly client: Client;
  readonly turns: ConnectionTurns;
  readonly onQuery: () => void;
}

export class DohServer {
  readonly #service: QueryService;
  readonly #limits: TcpLimits;
  readonly #http1 = new Http1();

  constructor(service: QueryService, limits: TcpLimits) {
    this.#service = service;
    this.#limits = limits;
  }

  /** Serves a connection. Returns a function that closes it without cutting off replies. */
  serve(socket: TLSSocket, { client, turns, onQuery }: Served): () => void {
    let timer: NodeJS.Timeout | undefined;
    const closeAfter = (milliseconds: number) => {
      clearTimeout(timer);
      if (!socket.destroyed) timer = setTimeout(() => socket.destroy(), milliseconds);
    };
    socket.on("close", () => clearTimeout(timer));
    const answer = (query: Uint8Array) => {
      onQuery();
      const isLast = isLastDoh(this.#service, query, client);
      return turns.run(() => answerDoh(this.#service, query, client), isLast);
    };
    // after the handshake a client is about to send a query
    closeAfter(this.#limits.message);
    const connection = { socket, limits: this.#limits, turns, answer, closeAfter };
    return socket.alpnProtocol === "h2" ? serveHttp2(connection) : this.#http1.serve(connection);
  }
}
