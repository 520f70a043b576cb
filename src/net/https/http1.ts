/** DNS over HTTPS with HTTP/1.1. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Pieces } from "../connection/pieces.ts";
import { longestHeader, problem, type Reply, readRequest } from "./doh.ts";
import type { HttpConnection } from "./https.ts";
import { createServer } from "./node-http.ts";
import { readBody } from "./request-body.ts";

/** The most octets of requests that the parser reads in one turn, since it makes objects for each request. */
export const pieceOctets = 512;

/** A connection whose requests are answered one after the other, so that it holds one unread reply. */
interface Line {
  readonly connection: HttpConnection;
  /** Resolves when the reply to the last request has been sent. */
  last: Promise<unknown>;
  /** The same for the last request whose body has been read: no further piece is read before. */
  answered: Promise<unknown>;
}

export class Http1 {
  /** Never listens: connections are passed to it. */
  readonly #server = createServer({ maxHeaderSize: longestHeader, keepAliveTimeout: 0 });
  readonly #lines = new WeakMap<object, Line>();

  constructor() {
    this.#server.on("request", (request, response) => void this.#receive(request, response));
    this.#server.on("clientError", (error, socket) => {
      const tooLong = "code" in error && error.code === "HPE_HEADER_OVERFLOW";
      const status = tooLong ? "431 Request Header Fields Too Large" : "400 Bad Request";
      if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    });
  }

  serve(connection: HttpConnection): () => void {
    const line: Line = { connection, last: Promise.resolve(), answered: Promise.resolve() };
    const when = async (give: () => void) => {
      await line.answered;
      await connection.turns.run(give);
    };
    const pieces = new Pieces(connection.socket, { octets: pieceOctets, when });
    this.#lines.set(pieces, line);
    this.#server.emit("connection", pieces);
    return () => pieces.destroySoon();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = this.#lines.get(request.socket);
    if (!line) return void request.socket.destroy();
    const { limits, answer, closeAfter } = line.connection;
    const before = line.last;
    const closed = new Promise<void>((resolve) => response.on("close", resolve));
    line.last = closed;
    closeAfter(limits.message);
    const { method = "", url: target = "", headers } = request;
    const read = readRequest({ method, target, type: headers["content-type"], length: headers["content-length"] });
    const query = read.kind === "body" ? await readBody(request) : read;
    if (query === undefined) return;
    line.answered = closed;
    await before;
    const reply = query.kind === "query" ? await answer(query.octets) : problem(query.status);
    if (response.destroyed) return;
    closeAfter(limits.stall);
    send(request, response, reply, () => closeAfter(limits.idle));
  }
}

function send(request: IncomingMessage, response: ServerResponse, reply: Reply, sent: () => void): void {
  const { status, headers, body } = reply;
  // the rest of a refused body is not read, so the connection cannot be used again
  response.writeHead(status, request.complete || status === 200 ? headers : { ...headers, connection: "close" });
  response.end(body, sent);
}
