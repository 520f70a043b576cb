/** DNS over HTTPS with HTTP/2 (RFC 9113). */
import { performServerHandshake, type ServerHttp2Stream, type ServerSessionOptions } from "node:http2";
import { longestHeader, problem, type Reply, readRequest } from "./doh.ts";
import type { HttpConnection } from "./https.ts";
import { readBody } from "./request-body.ts";

/** The most octets of requests and unread answers per connection. */
const mostHeld = 1024 * 1024;

/** The most requests of a connection at the same time: a packet can hold that many. */
export const mostStreams = 30;

/** Tight limits on what costs a client little: streams, resets, pings, settings and header fields. */
const options: ServerSessionOptions = {
  settings: { enablePush: false, maxConcurrentStreams: mostStreams, maxHeaderListSize: longestHeader },
  maxHeaderListPairs: 64,
  maxOutstandingPings: 10,
  maxSessionInvalidFrames: 20,
  maxSessionMemory: 2,
  maxSessionRejectedStreams: 20,
  streamResetBurst: 100,
  streamResetRate: 20,
};

export function serveHttp2({ socket, limits, answer, closeAfter }: HttpConnection): () => void {
  const session = performServerHandshake(socket, options);
  let open = 0;
  let held = 0;
  const hold = (octets: number) => {
    held += octets;
    if (held > mostHeld) socket.destroy();
  };
  session.on("error", () => socket.destroy());
  session.on("stream", async (stream, headers) => {
    let own = 0;
    const holdFor = (octets: number) => {
      own += octets;
      hold(octets);
    };
    open++;
    closeAfter(limits.message);
    stream.on("error", () => {});
    stream.on("close", () => {
      hold(-own);
      if (--open === 0) closeAfter(limits.idle);
    });
    const { ":method": method = "", ":path": target = "", "content-type": type, "content-length": length } = headers;
    const read = readRequest({ method, target, type, length });
    const query = read.kind === "body" ? await readBody(stream, holdFor) : read;
    if (query === undefined || isGone(stream)) return;
    const answered = query.kind === "query" ? answer(query.octets) : problem(query.status);
    // without a wait if possible, since a client could open further streams meanwhile
    const reply = answered instanceof Promise ? await answered : answered;
    if (isGone(stream)) return;
    holdFor(reply.body.length);
    closeAfter(limits.stall);
    if (!isGone(stream)) send(stream, reply, method === "HEAD");
  });
  return () => session.close();
}

/** Whether the client has reset the stream, perhaps already in the packet that opened it. */
const isGone = (stream: ServerHttp2Stream) => stream.destroyed || stream.closed;

function send(stream: ServerHttp2Stream, { status, headers, body }: Reply, head: boolean): void {
  stream.respond({ ...headers, ":status": status }, { endStream: head });
  if (!head) stream.end(body);
  // discards the rest of a refused body
  stream.resume();
}
