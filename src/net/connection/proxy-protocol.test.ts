import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { follow, framed, openPlain, openTls, query, soon, startStreams } from "../../../test/network/streams.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(proxies: readonly string[] = ["127.0.0.0/8"], perAddress = 100) {
  const started = await startStreams({ proxies, limits: { message: 300, perAddress } });
  cleanups.push(() => started.server.close(100));
  const open = async (transport: "tcp" | "tls" | "https" = "tcp") => {
    const socket = await openPlain(started.ports[transport]);
    cleanups.push(() => socket.destroy());
    return socket;
  };
  return { ...started, open };
}

const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");

function header(command: number, kind: number, addresses: readonly number[]): Buffer {
  return Buffer.concat([signature, Buffer.of(0x20 | command, kind, 0, addresses.length), Buffer.from(addresses)]);
}

const ipv4 = [192, 0, 2, 7, 127, 0, 0, 1, 0x30, 0x39, 0, 53];
const fromIpv4 = header(1, 0x11, ipv4);
const ipv6 = Array.from({ length: 16 }, (_, at) => at);
const fromIpv6 = header(1, 0x21, [...ipv6, ...ipv6, 0x30, 0x39, 0, 53]);
const fromMapped = header(1, 0x21, [...Array(10).fill(0), 255, 255, 192, 0, 2, 7, ...ipv6, 0x30, 0x39, 0, 53]);
const extended = header(1, 0x11, [...ipv4, 0x04, 0, 2, 1, 1]);

async function answered(socket: Socket, octets: Buffer): Promise<number | undefined> {
  const { messages, ended } = follow(socket);
  socket.write(octets);
  await Promise.race([expect.poll(() => messages().length).toBe(1), ended]);
  return messages()[0]?.[1];
}

describe("PROXY protocol", () => {
  test.each([
    ["a header for IPv4", fromIpv4, [192, 0, 2, 7], 12_345],
    ["a header for IPv6", fromIpv6, ipv6, 12_345],
    ["a header for IPv4 in IPv6", fromMapped, [192, 0, 2, 7], 12_345],
    ["a header with extensions", extended, [192, 0, 2, 7], 12_345],
  ])("%s: the client is the one that the proxy names", async (_, octets, address, port) => {
    const { open, service } = await start();
    expect(await answered(await open(), Buffer.concat([octets, framed(query(4))]))).toBe(4);
    expect([...service.client!.address]).toEqual(address);
    expect([service.client!.family, service.client!.port]).toEqual([address.length === 4 ? 4 : 6, port]);
  });

  test("a header and a query are read even if they arrive octet by octet", async () => {
    const { open } = await start();
    const socket = await open();
    const { messages } = follow(socket);
    for (const octet of Buffer.concat([fromIpv4, framed(query(6))])) {
      await new Promise((sent) => socket.write(Buffer.of(octet), sent));
    }
    await expect.poll(() => messages().map((octets) => octets[1])).toEqual([6]);
  });

  test.each([
    ["a LOCAL header", header(0, 0, [])],
    ["a header of an unknown family", header(1, 0, [1, 2, 3])],
    ["a header of a local socket", header(1, 0x31, ipv6)],
  ])("%s: the client is the proxy", async (_, octets) => {
    const { open, service } = await start();
    expect(await answered(await open(), Buffer.concat([octets, framed(query(4))]))).toBe(4);
    expect([...service.client!.address]).toEqual([127, 0, 0, 1]);
  });

  test.each([
    ["a query without a header", framed(query(4, 40))],
    ["a header of version 1", Buffer.from("PROXY TCP4 192.0.2.7 127.0.0.1 12345 53\r\n")],
    ["a header of another version", Buffer.concat([signature, Buffer.of(0x11, 0x11, 0, 12), Buffer.from(ipv4)])],
    ["an unknown command", header(2, 0x11, ipv4)],
    ["truncated addresses", header(1, 0x11, ipv4.slice(0, 8))],
    ["60 KB of extensions", Buffer.concat([signature, Buffer.of(0x21, 0x11, 0xea, 0x60)])],
    ["half a header", fromIpv4.subarray(0, 20)],
    ["nothing", Buffer.alloc(0)],
  ])("the connection of a proxy is closed after: %s", async (_, octets) => {
    const { open, service } = await start();
    const socket = await open();
    const { ended, messages } = follow(socket);
    socket.write(octets);
    expect(await ended).toBeLessThan(soon);
    expect(messages()).toEqual([]);
    expect(service.client).toBeUndefined();
  });

  test("a header from another peer is not trusted", async () => {
    const { open, service } = await start(["192.0.2.0/24"]);
    const socket = await open();
    const { ended } = follow(socket);
    socket.write(Buffer.concat([fromIpv4, framed(query(4))]));
    await ended;
    expect(service.client).toBeUndefined();
  });

  test("a header before the TLS handshake names the client", async () => {
    const { open, service } = await start();
    const raw = await open("tls");
    raw.write(fromIpv4);
    const socket = await openTls(0, { socket: raw });
    expect(await answered(socket, framed(query(8)))).toBe(8);
    expect([...service.client!.address]).toEqual([192, 0, 2, 7]);
    expect(service.client!.secure).toBe("tls");
  });

  test("clients of one proxy are counted separately", async () => {
    const { open } = await start(["127.0.0.1"], 2);
    const sockets = [await open(), await open(), await open()];
    const octets = [192, 193, 194].map((first) => header(1, 0x11, [first, ...ipv4.slice(1)]));
    for (const [at, socket] of sockets.entries()) {
      expect(await answered(socket, Buffer.concat([octets[at]!, framed(query(1))]))).toBe(1);
    }
    const late = [await open(), await open()];
    const closed = once(sockets[0]!, "close");
    for (const socket of late) await answered(socket, Buffer.concat([octets[0]!, framed(query(1))]));
    sockets[0]!.end();
    await closed;
    expect(sockets[1]!.destroyed).toBe(false);
  });
});
