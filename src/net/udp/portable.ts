/** UDP with Node's own sockets, one datagram at a time, for systems without recvmmsg. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { addressOctets, type Family, familyOf, isWildcard } from "../socket/address.ts";
import { LateWork } from "../socket/late-work.ts";
import { askService, type Client, plainOctets } from "../socket/service.ts";
import { duplicateFd, localAddress } from "../socket/sockets.ts";
import { isAnswerable, replyRoom, type UdpOptions, udpCounts } from "./listener.ts";

const receiveBuffer = 4 * 1024 * 1024;
/** The most octets of answers that wait to be sent; further answers are dropped. */
const sendQueueLimit = 1024 * 1024;
/** The most queries that wait to be answered last, and the milliseconds after which a client no longer waits. */
const mostLate = 128;
const mostAge = 2000;

export async function listenPortable(options: UdpOptions): Promise<void> {
  const sockets: Socket[] = [];
  const late = new LateWork();
  const failed = Promise.withResolvers<never>();
  const open = async (family: Family, where: Parameters<Socket["bind"]>[0]) => {
    const socket = await bind(family, where);
    sockets.push(socket.on("error", failed.reject));
    socket.on("message", makeReceiver(socket, family, late, options));
    return socket;
  };
  try {
    const port = "fd" in options.socket ? await adopt(options.socket.fd, open) : await bindAll(options.socket, open);
    options.onListening?.(port);
    await Promise.race([stopped(options.stop), failed.promise]);
  } finally {
    for (const socket of sockets) socket.close();
  }
}

type Open = (family: Family, where: Parameters<Socket["bind"]>[0]) => Promise<Socket>;

async function adopt(fd: number, open: Open): Promise<number> {
  return (await open(localAddress(fd).family, { fd: duplicateFd(fd) })).address().port;
}

/**
 * Opens the sockets. A reply leaves from the address of its socket, so a wildcard address needs a socket for each
 * address of this machine. The wildcard socket serves all other addresses: the system chooses its replies' source.
 */
async function bindAll({ address, port: wanted }: { address: string; port: number }, open: Open): Promise<number> {
  const family = familyOf(address);
  const { port } = (await open(family, { address, port: wanted })).address();
  if (isWildcard(address)) {
    for (const own of ownAddresses(family)) await open(family, { address: own, port });
  }
  return port;
}

function ownAddresses(family: Family): string[] {
  return Object.entries(networkInterfaces()).flatMap(([name, entries = []]) =>
    entries
      .filter((entry) => entry.family === `IPv${family}`)
      .map(({ address }) => (address.startsWith("fe80:") ? `${address}%${name}` : address)),
  );
}

async function bind(family: Family, where: Parameters<Socket["bind"]>[0]): Promise<Socket> {
  const share = process.platform === "linux" ? { reusePort: true } : { reuseAddr: true };
  const socket = createSocket({
    type: `udp${family}`,
    ipv6Only: family === 6,
    recvBufferSize: receiveBuffer,
    ...share,
  });
  const listening = once(socket, "listening");
  socket.bind(where);
  await listening;
  return socket;
}

function makeReceiver(socket: Socket, family: Family, late: LateWork, { service, counts }: UdpOptions) {
  const own = socket.address();
  const ownAddress = addressOctets(own.address);
  const out = new Uint8Array(replyRoom);
  const answer = (query: Uint8Array, client: Client, address: string) => {
    const written = askService(service, query, 0, query.length, client, out, 0, replyRoom);
    if (written > 0) send(socket, Buffer.from(out.subarray(0, written)), address, client.port, counts);
  };
  const answerLast = (query: Uint8Array, client: Client, address: string) => {
    if (late.size >= mostLate) return service.heldBack?.();
    const since = performance.now();
    return late.add("", "", () => {
      if (performance.now() - since > mostAge) return;
      service.begin();
      answer(query, client, address);
      service.end();
    });
  };
  return (query: Buffer, { address, port }: RemoteInfo) => {
    counts[udpCounts.batches]!++;
    counts[udpCounts.datagrams]!++;
    const client: Client = { family, address: addressOctets(address), port };
    if (!isAnswerable(client, own.port, ownAddress, 0)) {
      counts[udpCounts.dropped]!++;
      return;
    }
    const octets = plainOctets(query);
    service.begin();
    const isLast = service.isCrowded === true && service.isLast?.(octets, 0, octets.length, client) === true;
    if (isLast) answerLast(octets, client, address);
    else {
      answer(octets, client, address);
      late.otherDone();
    }
    service.end();
  };
}

function send(socket: Socket, reply: Buffer, address: string, port: number, counts: Float64Array): void {
  const unsent = () => counts[udpCounts.unsent]!++;
  try {
    if (socket.getSendQueueSize() > sendQueueLimit) unsent();
    else socket.send(reply, port, address, (error) => error && unsent());
  } catch {
    unsent();
  }
}

async function stopped(stop: Int32Array<SharedArrayBuffer>): Promise<void> {
  await Atomics.waitAsync(stop, 0, 0).value;
}
