/** DNS over HTTPS (RFC 8484) on connections whose TLS is done: HTTP/2, or HTTP/1.1 for who does not ask for it. */
import type { TLSSocket } from "node:tls";
import type { TcpLimits } from "../connection/tcp-connection.ts";
import type { Client, QueryService } from "../socket/service.ts";
import { answerDoh, type Reply } from "./doh.ts";
import { Http1 } from "./http1.ts";
import { serveHttp2 } from "./http2.ts";

/** One connection, whichever HTTP it speaks. */
export interface HttpConnection {
  readonly socket: TLSSocket;
  readonly limits: TcpLimits;
  readonly answer: (query: Uint8Array) => Reply;
  /** Closes the connection unless it is called again within so many milliseconds. */
  readonly closeAfter: (milliseconds: number) => void;
}

export class DohServer {
  readonly #service: QueryService;
  readonly #limits: TcpLimits;
  readonly #http1 = new Http1();

  constructor(service: QueryService, limits: TcpLimits) {
    this.#service = service;
    this.#limits = limits;
  }

  /** Serves a connection to its end; returns what ends it in good order. */
  serve(socket: TLSSocket, client: Client, onQuery: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const closeAfter = (milliseconds: number) => {
      clearTimeout(timer);
      if (!socket.destroyed) timer = setTimeout(() => socket.destroy(), milliseconds);
    };
    socket.on("close", () => clearTimeout(timer));
    const answer = (query: Uint8Array) => {
      onQuery();
      return answerDoh(this.#service, query, client);
    };
    // who has just shaken hands is about to ask
    closeAfter(this.#limits.message);
    const connection = { socket, limits: this.#limits, answer, closeAfter };
    return socket.alpnProtocol === "h2" ? serveHttp2(connection) : this.#http1.serve(connection);
  }
}
