/** DNS over HTTPS with HTTP/1.1. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { longestHeader, problem, type Reply, readRequest } from "./doh.ts";
import type { HttpConnection } from "./https.ts";
import { readBody } from "./request-body.ts";

export class Http1 {
  /** Never listens: connections are passed to it. */
  readonly #server = createServer({ maxHeaderSize: longestHeader, keepAliveTimeout: 0 });
  readonly #connections = new WeakMap<object, HttpConnection>();

  constructor() {
    this.#server.on("request", (request, response) => void this.#receive(request, response));
    this.#server.on("clientError", (error, socket) => {
      const tooLong = "code" in error && error.code === "HPE_HEADER_OVERFLOW";
      const status = tooLong ? "431 Request Header Fields Too Large" : "400 Bad Request";
      if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    });
  }

  serve(connection: HttpConnection): () => void {
    this.#connections.set(connection.socket, connection);
    this.#server.emit("connection", connection.socket);
    return () => connection.socket.destroySoon();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = this.#connections.get(request.socket);
    if (!connection) return void request.socket.destroy();
    const { limits, answer, closeAfter } = connection;
    closeAfter(limits.message);
    const { method = "", url: target = "", headers } = request;
    const read = readRequest({ method, target, type: headers["content-type"], length: headers["content-length"] });
    const query = read.kind === "body" ? await readBody(request) : read;
    if (query === undefined) return;
    const reply = query.kind === "query" ? answer(query.octets) : problem(query.status);
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
