/** Answers to octets that are not an HTTP request; written to the socket, since there is no request to answer. */
import type { Socket } from "node:net";
import { printError } from "./refusal.ts";
import { commonHeaders } from "./request.ts";

const reasons: Readonly<Record<string, readonly [line: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "too_large", "the request's headers are too large"],
  CONNECT: ["405 Method Not Allowed", "method_not_allowed", "the method CONNECT is not allowed here"],
  CONNECTIONS: ["503 Service Unavailable", "unavailable", "too many connections are open, in all or from this address"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "invalid", "the request did not arrive in time"],
};
const fallback = ["400 Bad Request", "invalid", "this is not a valid HTTP request"] as const;

/** Writes the refusal and closes the socket; `headers` report the rate limit. */
export function refuseMalformed(error: Error, socket: Socket, headers: Readonly<Record<string, string>>): void {
  if (!socket.writable || codeOf(error) === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [line, code, message] = reasons[codeOf(error)] ?? fallback;
  const body = printError({ message, code });
  const fields = {
    ...commonHeaders,
    ...headers,
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${line}\r\n${head.join("")}\r\n${body}`);
  // more input would otherwise keep the socket open
  socket.once("finish", () => socket.destroy());
}

const codeOf = (error: Error) => ("code" in error ? String(error.code) : "");
