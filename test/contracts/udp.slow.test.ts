/** The contract of a UDP listener, for both implementations, each in its own thread. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import koffi from "koffi";
import { afterEach, describe, expect, test } from "vitest";
import { composeSockaddr } from "../../src/net/socket/address.ts";
import { closeFd, openUdp, type SocketSource } from "../../src/net/socket/sockets.ts";
import { isAnswerable, udpCounts } from "../../src/net/udp/listener.ts";
import { openWaker, wake } from "../../src/net/udp/waker.ts";
import { ask, type EchoWorkerData } from "./udp.worker.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(listener: EchoWorkerData["listener"], socket: SocketSource) {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const counts = new Float64Array(new SharedArrayBuffer(8 * 8));
  const { port1: control, port2 } = new MessageChannel();
  const waker = openWaker();
  const data: EchoWorkerData = { listener, socket, stop, waker, counts, control: port2 };
  const worker = new Worker(new URL("./udp.worker.ts", import.meta.url), { workerData: data, transferList: [port2] });
  const ended = once(worker, "exit");
  const [port]: number[] = await Promise.race([
    once(control, "message"),
    once(worker, "error").then(([error]) => Promise.reject(error)),
  ]);
  const end = async () => {
    Atomics.store(stop, 0, 1);
    Atomics.notify(stop, 0);
    if (waker !== undefined) wake(waker);
    const [code] = await ended;
    return code;
  };
  cleanups.push(end);
  return { port: port!, control, counts, end };
}

async function client(address: string, { port = 0, reusePort = false } = {}) {
  const type = address.includes(":") ? "udp6" : "udp4";
  const socket = createSocket({ type, reusePort, recvBufferSize: 4 * 1024 * 1024 });
  socket.bind(port, address);
  await once(socket, "listening");
  cleanups.push(() => socket.close());
  return socket;
}

const send = (socket: Socket, octets: Uint8Array, port: number, address: string) =>
  new Promise<void>((resolve, reject) => {
    socket.send(octets, port, address, (error) => (error ? reject(error) : resolve()));
  });

/** The next datagram of a socket, and its source; undefined when none arrives. */
async function next(socket: Socket, within = 2000) {
  const [octets, from] = await once(socket, "message", { signal: AbortSignal.timeout(within) }).catch(() => []);
  return octets === undefined ? undefined : { octets: new Uint8Array(octets), address: from.address as string };
}

async function exchange(socket: Socket, octets: Uint8Array, port: number, address = "127.0.0.1", within?: number) {
  const reply = next(socket, within);
  await send(socket, octets, port, address);
  return await reply;
}

const loopback = { address: "127.0.0.1", port: 0 };
const query = Uint8Array.of(100, 101, 102);
const answersStill = async (socket: Socket, port: number, address?: string) =>
  expect((await exchange(socket, query, port, address))?.octets).toEqual(query);

describe.each(["batched", "portable"] as const)("a %s listener", (listener) => {
  test("answers over IPv4 and over IPv6", async () => {
    for (const address of ["127.0.0.1", "::1"]) {
      const { port } = await start(listener, { address, port: 0 });
      await answersStill(await client(address), port, address);
    }
  });

  test("answers on a socket that it was handed, and leaves it open", async () => {
    for (const address of ["127.0.0.1", "::1"]) {
      const fd = openUdp(address, 0);
      for (let round = 0; round < 2; round++) {
        const { port, end } = await start(listener, { fd });
        await answersStill(await client(address), port, address);
        await end();
      }
      closeFd(fd);
    }
  });

  test("answers every query of a burst, each with its own answer", async () => {
    const { port, counts } = await start(listener, loopback);
    const sockets = await Promise.all(Array.from({ length: 4 }, () => client("127.0.0.1")));
    const replies = sockets.map(() => new Set<number>());
    sockets.forEach((socket, index) => {
      socket.on("message", (octets) => replies[index]!.add(octets.readUInt32BE(4)));
    });
    for (let number = 0; number < 1000; number++) {
      const octets = Buffer.alloc(8 + (number % 300), 9);
      octets.writeUInt32BE(number, 4);
      void send(sockets[number % 4]!, octets, port, "127.0.0.1");
    }
    await expect.poll(() => replies.reduce((sum, set) => sum + set.size, 0), { timeout: 5000 }).toBe(1000);
    for (const [index, set] of replies.entries()) expect([...set].every((number) => number % 4 === index)).toBe(true);
    expect(counts[udpCounts.datagrams]).toBe(1000);
  });

  test("takes datagrams with no octets, with one, and with 65,000", async () => {
    const { port } = await start(listener, loopback);
    const socket = await client("127.0.0.1");
    expect((await exchange(socket, new Uint8Array(0), port))?.octets).toEqual(Uint8Array.of(0));
    expect((await exchange(socket, Uint8Array.of(77), port))?.octets).toEqual(Uint8Array.of(77));
    const large = new Uint8Array(65_000);
    large[0] = ask.length;
    expect((await exchange(socket, large, port))?.octets).toEqual(Uint8Array.of(0, 0, 65_000 >> 8, 65_000 & 255));
  });

  test("sends nothing when the service has no reply, and answers the other queries", async () => {
    const { port } = await start(listener, loopback);
    const [quiet, other] = [await client("127.0.0.1"), await client("127.0.0.1")];
    const silence = next(quiet, 300);
    const answer = next(other);
    await send(quiet, Uint8Array.of(ask.silence), port, "127.0.0.1");
    await send(other, query, port, "127.0.0.1");
    expect((await answer)?.octets).toEqual(query);
    expect(await silence).toBeUndefined();
  });

  test("continues when the service throws or writes too many octets", async () => {
    const { port } = await start(listener, loopback);
    const socket = await client("127.0.0.1");
    for (const what of [ask.fault, ask.overflow, ask.fault]) {
      expect(await exchange(socket, Uint8Array.of(what), port, "127.0.0.1", 100)).toBeUndefined();
      await answersStill(socket, port);
    }
  });

  test("drops packets from source port 0", async () => {
    expect(isAnswerable({ family: 4, address: Uint8Array.of(127, 0, 0, 1), port: 0 }, 53, new Uint8Array(4), 0)).toBe(
      false,
    );
    const { port, counts } = await start(listener, loopback);
    if (process.getuid?.() === 0) {
      sendFromPortZero(port);
      await expect.poll(() => counts[udpCounts.dropped]).toBe(1);
    }
    await answersStill(await client("127.0.0.1"), port);
  });

  test("drops packets with its own address as source", async () => {
    const { port, counts } = await start(listener, loopback);
    const twin = await client("0.0.0.0", { port, reusePort: true });
    await send(twin, query, port, "127.0.0.1");
    await expect.poll(() => counts[udpCounts.dropped]).toBe(1);
    await answersStill(await client("127.0.0.1"), port);
  });

  test("survives answers that the system refuses to send or that have no receiver", async () => {
    const { port, counts } = await start(listener, { address: "0.0.0.0", port: 0 });
    for (let number = 0; number < 20; number++) {
      const gone = createSocket("udp4");
      await send(gone, query, port, "127.0.0.1");
      gone.close();
    }
    if (process.getuid?.() === 0) {
      for (const source of [
        [0, 0, 0, 0],
        [224, 0, 0, 1],
        [255, 255, 255, 255],
      ])
        sendFrom(source, port);
      await expect.poll(() => counts[udpCounts.unsent]).toBeGreaterThan(0);
    }
    await answersStill(await client("127.0.0.1"), port);
  });

  test.each(["0.0.0.0", "::"])("bound to %s, replies from the address that was asked", async (wildcard) => {
    const { port } = await start(listener, { address: wildcard, port: 0 });
    const own = ownAddresses(wildcard === "::" ? "IPv6" : "IPv4");
    const asked = wildcard === "0.0.0.0" && listener === "batched" ? [...own, "127.0.0.2"] : own;
    for (const from of own) {
      const socket = await client(from);
      for (const to of asked) expect(await exchange(socket, query, port, to)).toEqual({ octets: query, address: to });
    }
  });

  test("applies messages that came before a query when it answers that query", async () => {
    const { port, control } = await start(listener, loopback);
    const socket = await client("127.0.0.1");
    for (let number = 1; number <= 200; number++) {
      control.postMessage(number);
      const reply = await exchange(socket, Uint8Array.of(ask.control), port);
      expect(new DataView(reply!.octets.buffer).getUint32(0)).toBe(number);
    }
    control.postMessage(1000);
    await delay(300);
    expect((await exchange(socket, Uint8Array.of(ask.control), port))?.octets).toEqual(Uint8Array.of(0, 0, 3, 232));
  });

  test("answers and stops at once after a time without queries", async () => {
    const { port, end } = await start(listener, loopback);
    const socket = await client("127.0.0.1");
    for (let round = 0; round < 3; round++) {
      await delay(400);
      const began = performance.now();
      await answersStill(socket, port);
      expect(performance.now() - began).toBeLessThan(200);
    }
    await delay(400);
    const began = performance.now();
    expect(await end()).toBe(0);
    expect(performance.now() - began).toBeLessThan(200);
  });

  test("stops and starts again, idle and under load", async () => {
    const socket = await client("127.0.0.1");
    let { port, end } = await start(listener, loopback);
    const load = setInterval(() => {
      for (let count = 0; count < 50; count++) void send(socket, query, port, "127.0.0.1").catch(() => {});
    }, 1);
    cleanups.push(() => clearInterval(load));
    for (let round = 0; round < 12; round++) {
      if (round === 6) clearInterval(load);
      const began = performance.now();
      expect(await end()).toBe(0);
      expect(performance.now() - began).toBeLessThan(1000);
      ({ end, port } = await start(listener, { address: "127.0.0.1", port }));
    }
    await delay(50);
    await answersStill(await client("127.0.0.1"), port);
  });
});

test("after a pause of 5 s, a batched listener drops the waiting queries and answers new ones", async () => {
  const { port, counts } = await start("batched", loopback);
  const [socket, waiting] = [await client("127.0.0.1"), await client("127.0.0.1")];
  const slept = next(socket, 10_000);
  await send(socket, Uint8Array.of(ask.sleep), port, "127.0.0.1");
  await delay(50);
  const silence = next(waiting, 6000);
  for (let count = 0; count < 200; count++) await send(waiting, query, port, "127.0.0.1");
  expect((await slept)?.octets).toEqual(Uint8Array.of(ask.sleep));
  expect(await silence).toBeUndefined();
  expect(counts[udpCounts.late]).toBe(200);
  await answersStill(waiting, port);
});

function ownAddresses(family: "IPv4" | "IPv6"): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries = []) => entries.filter((entry) => entry.family === family && !entry.scopeid))
    .map((entry) => entry.address);
}

/** A UDP header with source port 0, which only a raw socket can send. */
function sendFromPortZero(port: number) {
  sendRaw(17, Uint8Array.of(0, 0, port >> 8, port & 255, 0, 9, 0, 0, 100));
}

/** A whole IPv4 packet with an impossible source. */
function sendFrom(source: readonly number[], port: number) {
  const udp = Uint8Array.of(4, 0, port >> 8, port & 255, 0, 9, 0, 0, 100);
  const header = Uint8Array.of(0x45, 0, 0, 29, 0, 0, 0, 0, 64, 17, 0, 0, ...source, 127, 0, 0, 1);
  sendRaw(255, Uint8Array.of(...header, ...udp));
}

function sendRaw(protocol: number, octets: Uint8Array) {
  const libc = koffi.load("libc.so.6");
  const socket = libc.func("int socket(int, int, int)")(2, 3, protocol);
  const to = composeSockaddr("127.0.0.1", 0);
  const sent = libc.func("long sendto(int, const void *, size_t, int, const void *, uint)")(
    socket,
    octets,
    octets.length,
    0,
    to,
    to.length,
  );
  libc.func("int close(int)")(socket);
  expect(sent).toBe(octets.length);
}
