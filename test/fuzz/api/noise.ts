/** Octets that are not a request, or that some parsers read as two requests. */
import type { Draw } from "../../interop/differential/draw.ts";

/** The path of a request inside a body: a server that reads the body as a request would answer it. */
export const smuggled = "/v1/smuggled";

export function drawNoise(draw: Draw, key: string): string {
  const inner = `GET ${smuggled} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const get = `GET /v1/networks HTTP/1.1\r\nHost: x\r\nX-SERVICE-Key: ${key}\r\n`;
  const post = `POST /v1/account/settings HTTP/1.1\r\nHost: x\r\nX-SERVICE-Key: ${key}\r\n`;
  const chunked = "Transfer-Encoding: chunked\r\n";
  const length = `Content-Length: ${inner.length}\r\n`;
  const octets = (count: number) =>
    Array.from({ length: count }, () => String.fromCharCode(draw.number(0, 255))).join("");
  return draw.pick<() => string>([
    () => `${post}${chunked}${length}\r\n0\r\n\r\n${inner}`,
    () => `${post}${length}${chunked}\r\n0\r\n\r\n${inner}`,
    () => `${post}${length}Content-Length: 0\r\n\r\n${inner}`,
    () => `${post}Content-Length: 0, ${inner.length}\r\n\r\n${inner}`,
    () => `${post}Content-Length: +${inner.length}\r\n\r\n${inner}`,
    () => `${post}Content-Length: 0x${inner.length.toString(16)}\r\n\r\n${inner}`,
    () => `${post}Content-Length: 99999999999999999999\r\n\r\n${inner}`,
    () => `${post}Transfer-Encoding: xchunked\r\n${length}\r\n${inner}`,
    () => `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    () => `${post}Transfer-Encoding: chunked, identity\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
    () => `${post}Transfer-Encoding:\x0bchunked\r\n${length}\r\n${inner}`,
    () => `${post}${chunked}\r\n${inner.length.toString(16)};ext="\n"\r\n${inner}\r\n0\r\n\r\n`,
    () => `${post}${chunked}\r\n-1\r\n${inner}\r\n0\r\n\r\n`,
    () => `${post}${chunked}\r\nfffffffffffffffff\r\n${inner}`,
    () => `${post}${chunked}\r\n2\r\n{}\r\n0\r\nX-Trailer: a\r\nContent-Length: 5\r\n\r\n`,
    () => `${get}${length}\r\n${inner}`,
    () => `${get}X-Fold: a\r\n b\r\n\r\n`,
    () => `${get} X-Space: a\r\n\r\n`,
    () => `${get.replaceAll("\r\n", "\n")}\n`,
    () => `${get.replaceAll("\r\n", "\r")}\r`,
    () => `${get}X-Nul: a\0b\r\n\r\n`,
    () => `${get}X-\xe9: a\r\n\r\n`,
    () => `${get}X-SERVICE-Key: ${key}\r\n\r\n`,
    () => `${get}${"X-Many: 1\r\n".repeat(draw.pick([100, 1500, 3000]))}\r\n`,
    () => `${get}X-Long: ${"a".repeat(draw.pick([8000, 33_000, 70_000]))}\r\n\r\n`,
    () => `GET /v1/${"a".repeat(draw.pick([16_000, 33_000, 70_000]))} HTTP/1.1\r\nHost: x\r\n\r\n`,
    () => `${get}\r\n`.repeat(draw.number(2, 30)),
    () => `${get}Expect: ${draw.pick(["100-continue", "200-ok", ""])}\r\nContent-Length: 2\r\n\r\n`,
    () => `${get}Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAA\r\n\r\n`,
    () =>
      `${get}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a\r\n\r\n`,
    () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0",
    () => `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${octets(200)}`,
    () => `GET http://${draw.pick(["x", "a@b", "[::1]", "", "x:y"])}/v1/networks HTTP/1.1\r\nHost: x\r\n\r\n`,
    () => `${draw.pick(["OPTIONS", "GET", "TRACE"])} * HTTP/1.1\r\nHost: x\r\n\r\n`,
    () =>
      `GET ${draw.pick(["v1/networks", "?", "#", "/#a", "//", "/..//../", "/v1/%", "\\", "/v1/networks\tHTTP"])} HTTP/1.1\r\nHost: x\r\n\r\n`,
    () => `GET /v1/networks HTTP/${draw.pick(["1.0", "0.9", "1.2", "2.0", "9.9", "1", "x"])}\r\n\r\n`,
    () => "GET /v1/networks\r\n\r\n",
    () => "GET /v1/networks HTTP/1.1\r\n\r\n",
    () => "GET /v1/networks HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    () => `CONNECT ${draw.pick(["x:443", "/", ""])} HTTP/1.1\r\nHost: x\r\n\r\n${inner}`,
    () => octets(draw.number(1, 400)),
    () => `${octets(3)}${get}\r\n`,
    () => `${get}\r\n`.slice(0, draw.number(1, get.length)),
    () => `${post}Content-Length: 50\r\n\r\n{"company": "cut`,
  ])();
}
