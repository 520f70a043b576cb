import { setTimeout as delay } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import {
  certificate,
  follow,
  framed,
  openPlain,
  openTls,
  plainQuery,
  query,
  soon,
  startStreams,
} from "../../../test/network/streams.ts";
import type { TcpLimits } from "../connection/tcp-connection.ts";
import { tcpCounts } from "../tcp.ts";
import { makeSelfSigned } from "./self-signed.ts";
import { curves } from "./tls.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(limits: Partial<TcpLimits> = {}) {
  const started = await startStreams({ limits });
  cleanups.push(() => started.server.close(100));
  const open = async (options?: Parameters<typeof openTls>[1]) => {
    const socket = await openTls(started.ports.tls, options);
    cleanups.push(() => socket.destroy());
    return { socket, ...follow(socket) };
  };
  return { ...started, open };
}

const numbers = (messages: readonly Buffer[]) => messages.map((octets) => octets[1]);
const all = (count: number) => Buffer.concat(Array.from({ length: count }, (_, number) => framed(query(number))));

describe("DNS over TLS", () => {
  test("answers queries on one connection, and reports their transport", async () => {
    const { open, service } = await start();
    const { socket, messages } = await open();
    for (const number of [1, 2]) {
      socket.write(framed(query(number)));
      await expect.poll(() => numbers(messages()).at(-1)).toBe(number);
    }
    expect(service.client?.secure).toBe("tls");
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "%s: 1,000 queries in one write are answered before the end",
    async (version) => {
      const { open } = await start();
      const { socket, messages, ended } = await open({ minVersion: version, maxVersion: version });
      socket.end(all(1000));
      await ended;
      expect(numbers(messages())).toEqual(Array.from({ length: 1000 }, (_, number) => number & 255));
    },
  );

  test("the ALPN of DNS over TLS is accepted, another ALPN is refused", async () => {
    const { open, ports } = await start();
    const { socket } = await open({ ALPNProtocols: ["dot"] });
    expect(socket.alpnProtocol).toBe("dot");
    await expect(open({ ALPNProtocols: ["h2"] })).rejects.toThrow(/no application protocol/);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("TLS 1.1 is refused; a client that asks for an unknown server name is served", async () => {
    const { open, ports } = await start();
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    await expect(open(old)).rejects.toThrow();
    const { socket, messages } = await open({ servername: "other.example" });
    socket.write(framed(query(5)));
    await expect.poll(() => numbers(messages())).toEqual([5]);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test.each(curves)("a client may have only the group %s", async (ecdhCurve) => {
    const { open } = await start();
    const { socket, messages } = await open({ ecdhCurve });
    socket.write(framed(query(5)));
    await expect.poll(() => numbers(messages())).toEqual([5]);
  });

  test.each(["P-384", "P-521"])("a client that has only the slow group %s is refused", async (ecdhCurve) => {
    const { open, ports } = await start();
    await expect(open({ ecdhCurve })).rejects.toThrow(/handshake failure/);
    await expect(open({ ecdhCurve, maxVersion: "TLSv1.2" })).rejects.toThrow(/handshake failure/);
    const { socket, messages } = await open({ ecdhCurve: `${ecdhCurve}:P-256` });
    socket.write(framed(query(5)));
    await expect.poll(() => numbers(messages())).toEqual([5]);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("a client cannot renegotiate", async () => {
    const { open, ports } = await start();
    const { socket } = await open({ maxVersion: "TLSv1.2" });
    const renegotiated = new Promise((resolve) => socket.renegotiate({}, (error) => resolve(error)));
    socket.on("close", () => {});
    expect(await Promise.race([renegotiated, delay(1000, "nothing")])).not.toBeNull();
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("silence before the handshake and half a handshake end the connection after the message time", async () => {
    const { ports, counts } = await start({ message: 300 });
    for (const octets of [Buffer.alloc(0), Buffer.of(0x16, 3, 1, 2, 0, 1, 0)]) {
      const socket = await openPlain(ports.tls);
      socket.write(octets);
      const elapsed = await follow(socket).ended;
      expect(elapsed).toBeGreaterThan(200);
      expect(elapsed).toBeLessThan(soon);
    }
    await expect.poll(() => counts[tcpCounts.connections]).toBe(0);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("plain DNS and HTTP on the port of TLS end the connection", async () => {
    const { ports, counts } = await start();
    for (const octets of [framed(query(1)), Buffer.from("GET / HTTP/1.1\r\n\r\n")]) {
      const socket = await openPlain(ports.tls);
      socket.write(octets);
      expect(await follow(socket).ended).toBeLessThan(soon);
    }
    expect(counts[tcpCounts.unsecured]).toBe(2);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("silence after the handshake and half a message end the connection in time", async () => {
    const { open } = await start({ idle: 300, message: 300 });
    const [silent, half] = [await open(), await open()];
    half.socket.write(Buffer.of(0, 40, 1));
    for (const { ended } of [silent, half]) {
      const elapsed = await ended;
      expect(elapsed).toBeGreaterThan(200);
      expect(elapsed).toBeLessThan(soon);
    }
  });

  test.each([0, 11])("a length of %i closes the connection, after earlier queries are answered", async (length) => {
    const { open, ports } = await start();
    const { socket, messages, ended } = await open();
    socket.write(Buffer.concat([framed(query(1)), Buffer.of(0, length)]));
    expect(await ended).toBeLessThan(soon);
    expect(numbers(messages())).toEqual([1]);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("a client that does not read its answers is no longer read, and is closed", async () => {
    const { open, ports } = await start({ stall: 500 });
    const { socket, ended } = await open();
    socket.pause();
    const before = process.memoryUsage().rss;
    socket.write(Buffer.concat(Array.from({ length: 1000 }, (_, number) => framed(query(number, 12, 253)))));
    await delay(400);
    expect(process.memoryUsage().rss - before).toBeLessThan(30_000_000);
    await expect.poll(() => plainQuery(ports.tcp)).toBeLessThan(50);
    await delay(300);
    socket.resume();
    expect(await ended).toBeLessThan(5000);
  });

  test("connections cut during the handshake and right after it do no harm", async () => {
    const { ports, counts } = await start();
    for (let round = 0; round < 200; round++) {
      const raw = await openPlain(ports.tls);
      raw.write(Buffer.of(0x16, 3, 1, 0, 40));
      raw.resetAndDestroy();
      const sockets: TLSSocket[] = [];
      if (round % 10 === 0) sockets.push(await openTls(ports.tls));
      for (const socket of sockets) {
        socket.write(framed(query(1)));
        socket.destroy();
      }
    }
    await expect.poll(() => counts[tcpCounts.connections]).toBe(0);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("a new certificate is used from the next handshake on", async () => {
    const { open, server } = await start();
    const before = await open();
    const made = makeSelfSigned({ names: ["new.example.test"], from: new Date(), to: new Date(Date.now() + 1e8) });
    server.useCertificate(made);
    const after = await open();
    expect(before.socket.getPeerCertificate().subject.CN).toBe("ns.example.test");
    expect(after.socket.getPeerCertificate().subject.CN).toBe("new.example.test");
    before.socket.write(framed(query(3)));
    await expect.poll(() => numbers(before.messages())).toEqual([3]);
  });

  test("the certificate is valid for its name and its address", async () => {
    const { open } = await start();
    for (const servername of ["ns.example.test", ""]) {
      const { socket } = await open({ servername, ca: certificate.cert, rejectUnauthorized: true });
      expect(socket.authorized).toBe(true);
    }
  });
});

describe("limits on connections", () => {
  test("beyond the limit of an address, its new connections replace its oldest", async () => {
    const { open, ports, counts } = await start({ perAddress: 5 });
    const first = await open();
    for (let number = 0; number < 5; number++) await open();
    expect(await first.ended).toBeLessThan(soon);
    expect(counts[tcpCounts.evicted]).toBe(1);
    expect(counts[tcpCounts.connections]).toBe(5);
    const other = await openPlain(ports.tcp);
    cleanups.push(() => other.destroy());
    await expect.poll(() => counts[tcpCounts.evicted]).toBe(2);
  });

  test("a query is answered after 200 silent connections, of which 50 may be open", async () => {
    const { open, ports } = await start({ connections: 50 });
    for (let number = 0; number < 200; number++) {
      const socket = await openPlain(number % 2 ? ports.tcp : ports.tls);
      cleanups.push(() => socket.destroy());
    }
    const { socket, messages } = await open();
    socket.write(framed(query(9)));
    await expect.poll(() => numbers(messages())).toEqual([9]);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });
});
