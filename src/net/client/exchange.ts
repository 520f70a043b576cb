/** A small DNS client: sends the octets of a query and returns the octets of the answer. */
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { unavailable } from "../../lib/problem.ts";
import { familyOf } from "../socket/address.ts";
import { messagesFrom } from "./long-exchange.ts";

export interface Exchange {
  readonly address: string;
  readonly port: number;
  readonly transport: "udp" | "tcp";
  /** The most milliseconds in total (default 5,000). */
  readonly timeout?: number;
  /** The number of times that the query is sent over UDP, spread over the timeout (default 3). */
  readonly attempts?: number;
  /** The source address. */
  readonly from?: string;
}

/** Throws a Problem, which does not name the server, when no answer arrives in time or the server is unreachable. */
export async function exchange(server: Exchange, query: Uint8Array): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(server.timeout ?? 5000);
  const ask = server.transport === "udp" ? askUdp : askTcp;
  try {
    return await ask(server, query, signal);
  } catch (error) {
    const why = signal.aborted ? "did not answer in time" : `could not be reached (${codeOf(error)})`;
    throw unavailable(`${why} over ${server.transport.toUpperCase()}`);
  }
}

async function askUdp(server: Exchange, query: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  const { address, port, timeout = 5000, attempts = 3, from } = server;
  const socket = createSocket({ type: `udp${familyOf(address)}`, lookup: (host, _, done) => done(null, host, 4) });
  const resend = setInterval(() => send(socket, query), timeout / attempts);
  try {
    if (from !== undefined) await listening(socket, from);
    // connected, so that the system accepts only this server's answers and reports a closed port
    socket.connect(port, address);
    await once(socket, "connect", { signal });
    const answer = nextAnswer(socket, query, signal);
    send(socket, query);
    return await answer;
  } finally {
    clearInterval(resend);
    socket.close();
  }
}

async function listening(socket: UdpSocket, address: string): Promise<void> {
  const bound = once(socket, "listening");
  socket.bind(0, address);
  await bound;
}

/** Sends the query. A failed send is like a lost datagram: the next attempt or the timeout follows. */
const send = (socket: UdpSocket, query: Uint8Array) => socket.send(query, () => {});

async function nextAnswer(socket: UdpSocket, query: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  for (;;) {
    const [octets]: Uint8Array[] = await once(socket, "message", { signal });
    if (octets && isAnswerTo(octets, query)) return new Uint8Array(octets);
  }
}

async function askTcp({ address, port, from }: Exchange, query: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  const socket = connect({ host: address, port, signal, ...(from === undefined ? {} : { localAddress: from }) });
  try {
    await once(socket, "connect");
    socket.write(Uint8Array.of(query.length >> 8, query.length & 255, ...query));
    for await (const message of messagesFrom(socket)) return message;
    throw new Error("closed without an answer");
  } finally {
    socket.destroy();
  }
}

/** Whether a message is a response with the query's ID, and with its question or none (RFC 5452 section 9.1). */
export function isAnswerTo(octets: Uint8Array, query: Uint8Array): boolean {
  if (octets.length < 12 || octets[0] !== query[0] || octets[1] !== query[1] || (octets[2]! & 0x80) === 0) return false;
  if (octets[5] === 0) return true;
  const end = questionEnd(query);
  return query.subarray(12, end).every((octet, index) => octet === octets[12 + index]);
}

/** Returns the position after the first question of a query. */
function questionEnd(query: Uint8Array): number {
  let at = 12;
  while (at < query.length && query[at] !== 0) at += 1 + query[at]!;
  return Math.min(query.length, at + 5);
}

const codeOf = (error: unknown) => {
  if (error instanceof Error && "code" in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
};
