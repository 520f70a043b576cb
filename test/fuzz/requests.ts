/** Packets over HTTPS, in valid and in unusual requests. */
import type { ClientHttp2Session, OutgoingHttpHeaders } from "node:http2";
import { type Draw, drawFrom } from "../interop/differential/draw.ts";
import { seededRandom } from "../machine/random.ts";
import { type HttpReply, openHttp2, request } from "../network/streams.ts";
import { attempts, type LaneOptions, receive } from "./lane.ts";
import { isAnswered } from "./oracle.ts";

const atOnce = 25;
/** The most requests over one connection. */
const mostRequests = 2000;
const oddOneIn = 20;
const longestGet = 9000;
const oddStatuses = new Set([200, 400, 404, 405, 413, 414, 415, 431]);

interface RequestOptions extends LaneOptions {
  readonly seed: number;
}

export async function sendRequests(options: RequestOptions): Promise<void> {
  const { ledger, maker, packets, seed, port } = options;
  const draw = drawFrom(seededRandom(seed));
  let session = await open(port);
  let used = 0;
  for (let left = packets; left > 0 && !ledger.isOver; ) {
    if (used > mostRequests || session.destroyed || session.closed) {
      session.destroy();
      session = await open(port);
      used = 0;
    }
    const some = Array.from({ length: Math.min(left, atOnce) }, () => maker.next());
    left -= some.length;
    used += some.length;
    for (const packet of some) ledger.send("https", packet);
    const current = session;
    await Promise.all(some.map(({ octets }) => send(options, current, octets, draw)));
  }
  session.destroy();
}

async function send(options: RequestOptions, session: ClientHttp2Session, octets: Buffer, draw: Draw): Promise<void> {
  const { ledger } = options;
  if (octets.length >= 2) octets.writeUInt16BE(0, 0);
  const isOdd = draw.number(1, oddOneIn) === 1;
  const isGet = draw.chance(0.5) && octets.length > 0 && octets.length < longestGet;
  const headers = isOdd ? oddHeaders(octets, draw) : goodHeaders(octets, isGet);
  const body = headers[":method"] === "GET" ? undefined : octets;
  const reply = await ask(options, session, headers, body);
  if (!reply) return ledger.find("https", `no reply to repeated requests: ${JSON.stringify(headers)}`, octets);
  if (isOdd) {
    if (!oddStatuses.has(reply.status))
      ledger.find("https", `status ${reply.status} to ${JSON.stringify(headers)}`, octets);
  } else if (!isAnswered(octets)) {
    if (reply.status !== 400) ledger.find("https", `status ${reply.status} to a message that is no query`, octets);
  } else if (reply.status !== 200) ledger.find("https", `status ${reply.status}`, octets);
  else receive(options, "https", octets, reply.body);
}

/** Sends over a new connection if this one has ended. */
async function ask(
  { port, ledger }: RequestOptions,
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body: Buffer | undefined,
): Promise<HttpReply | undefined> {
  let current = session;
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await request(current, headers, body);
    } catch {
      ledger.suspects++;
      if (current !== session) current.destroy();
      current = await open(port);
    }
  }
  return undefined;
}

async function open(port: number): Promise<ClientHttp2Session> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await openHttp2(port);
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}

const mediaType = "application/dns-message";

const goodHeaders = (octets: Buffer, isGet: boolean): OutgoingHttpHeaders =>
  isGet
    ? { ":method": "GET", ":path": `/dns-query?dns=${octets.toString("base64url")}` }
    : { ":method": "POST", ":path": "/dns-query", "content-type": mediaType };

function oddHeaders(octets: Buffer, draw: Draw): OutgoingHttpHeaders {
  const dns = octets.toString(draw.pick(["base64url", "base64", "hex", "latin1"])).replaceAll(/[^!-~]/g, "?");
  const path = draw.pick(["/dns-query", "/dns-query/", "/", "/dns-query?", "//dns-query", "/DNS-QUERY"]);
  const search = draw.pick(["", `?dns=${dns}`, `?dns=${dns}&dns=`, "?dns=%", `?${dns}`, "?dns=A", `?dns=${dns}==`]);
  const type = draw.pick([mediaType, "text/plain", "", mediaType.toUpperCase(), `${mediaType};a="b`]);
  return {
    ":method": draw.pick(["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"]),
    ":path": `${path}${search}`.slice(0, 12_000),
    ...(type === "" ? {} : { "content-type": type }),
    ...(draw.chance(0.2) ? { "x-odd": "x".repeat(draw.number(0, 3000)) } : {}),
  };
}
