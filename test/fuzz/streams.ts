/** Packets over TCP and TLS: many in a connection, cut anywhere, and connections with octets that are not messages. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Draw, drawFrom } from "../interop/differential/draw.ts";
import { seededRandom } from "../machine/random.ts";
import { attempts, type LaneOptions, receive } from "./lane.ts";
import { isAnswered } from "./oracle.ts";
import type { Packet } from "./packets.ts";

/** Milliseconds for a whole connection: more than it needs, less than the idle timeout. */
const patience = 8000;
const mostMessages = 60;
/** One connection in this many contains no messages. */
const brokenOneIn = 12;

interface StreamOptions extends LaneOptions {
  readonly transport: "tcp" | "tls";
  readonly seed: number;
}

export async function sendStreams(options: StreamOptions): Promise<void> {
  const { ledger, packets, seed, transport } = options;
  const draw = drawFrom(seededRandom(seed));
  for (let left = packets; left > 0 && !ledger.isOver; ) {
    const messages = drawMessages(options, Math.min(left, draw.number(1, mostMessages)));
    left -= messages.length;
    if (draw.number(1, brokenOneIn) === 1) await sendBroken(options, messages, draw);
    else await sendWhole(options, messages, draw);
    for (const packet of messages) ledger.send(transport, packet);
  }
}

/** Packets with different IDs; one that ends the connection is the last. */
function drawMessages({ maker }: StreamOptions, count: number): Packet[] {
  const messages: Packet[] = [];
  while (messages.length < count) {
    const packet = maker.next();
    if (packet.octets.length >= 2) packet.octets.writeUInt16BE(messages.length, 0);
    messages.push(packet);
    if (!isAnswered(packet.octets)) break;
  }
  return messages;
}

async function sendWhole(options: StreamOptions, messages: readonly Packet[], draw: Draw): Promise<void> {
  const { ledger, transport } = options;
  const octets = messages.map((packet) => packet.octets);
  const stream = Buffer.concat(octets.map(framed));
  const cuts = Array.from({ length: draw.number(0, 3) }, () => draw.number(0, stream.length)).sort((a, b) => a - b);
  const expected = octets.filter(isAnswered);
  for (let attempt = 0; ; attempt++) {
    const replies = await exchange(options, stream, cuts);
    if (replies.length < expected.length && attempt + 1 < attempts) {
      ledger.suspects++;
      continue;
    }
    if (replies.length !== expected.length) {
      return ledger.find(transport, `${replies.length} replies to ${expected.length} messages`, ...octets);
    }
    for (const reply of replies) {
      const query = expected[reply.length >= 2 ? reply.readUInt16BE(0) : -1];
      if (query) receive(options, transport, query, reply);
      else ledger.find(transport, `a reply with an unused ID: ${reply.toString("hex")}`, ...octets);
    }
    return;
  }
}

/** Messages with wrong lengths: any reply must be a response, and the connection must end. */
async function sendBroken(options: StreamOptions, messages: readonly Packet[], draw: Draw): Promise<void> {
  const stream = Buffer.concat(messages.map(({ octets }) => framed(octets)));
  for (let times = draw.number(1, 5); times > 0; times--)
    stream[draw.number(0, stream.length - 1)] = draw.number(0, 255);
  const cut = stream.subarray(0, draw.number(1, stream.length));
  for (const reply of await exchange(options, cut, [])) {
    const isResponse = reply.length >= 12 && (reply[2]! & 0x80) !== 0;
    if (!isResponse)
      options.ledger.find(options.transport, `a reply that is no response: ${reply.toString("hex")}`, cut);
  }
}

/** The replies until the server ends the connection, which the client has ended as well. */
async function exchange(
  { transport, port }: StreamOptions,
  stream: Buffer,
  cuts: readonly number[],
): Promise<Buffer[]> {
  const socket = await open(transport, port);
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => socket.destroy(), patience);
  socket.on("data", (octets: Buffer) => chunks.push(octets));
  const closed = new Promise((resolve) => socket.on("close", resolve));
  let from = 0;
  for (const cut of [...cuts, stream.length]) {
    if (cut > from && !socket.destroyed) socket.write(stream.subarray(from, cut));
    from = Math.max(from, cut);
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.end();
  if (!socket.closed) await closed;
  clearTimeout(timer);
  return messagesOf(Buffer.concat(chunks));
}

async function open(transport: "tcp" | "tls", port: number): Promise<Socket> {
  const at = { port, host: "127.0.0.1" };
  for (let attempt = 0; ; attempt++) {
    const socket = transport === "tcp" ? connect(at) : connectTls({ ...at, rejectUnauthorized: false });
    try {
      await once(socket, transport === "tcp" ? "connect" : "secureConnect");
      socket.on("error", () => {});
      return socket;
    } catch (error) {
      socket.destroy();
      if (attempt >= attempts) throw error;
    }
  }
}

function messagesOf(stream: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at + 2 <= stream.length && at + 2 + stream.readUInt16BE(at) <= stream.length; ) {
    const end = at + 2 + stream.readUInt16BE(at);
    messages.push(stream.subarray(at + 2, end));
    at = end;
  }
  return messages;
}

const framed = (octets: Buffer) => Buffer.concat([Buffer.of(octets.length >> 8, octets.length & 255), octets]);
