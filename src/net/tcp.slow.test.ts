import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { seededRandom } from "../../test/machine/random.ts";
import { soon } from "../../test/network/streams.ts";
import { exchange } from "./client/exchange.ts";
import type { TcpLimits } from "./connection/tcp-connection.ts";
import type { QueryService } from "./socket/service.ts";
import { closeFd, openTcp } from "./socket/sockets.ts";
import { TcpServer, tcpCounts } from "./tcp.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Echoes the query. If its first octet is 255, it throws; 254 gets no answer, and 253 gets 60,000 octets. */
const echo: QueryService = {
  begin() {},
  answer(query, from, to, _, out, at) {
    if (query[from] === 255) throw new Error("a fault in one query");
    if (query[from] === 254) return 0;
    out.set(query.subarray(from, to), at);
    return query[from] === 253 ? 60_000 : to - from;
  },
  end() {},
  failed() {},
};

async function start(limits: Partial<TcpLimits> = {}) {
  const counts = new Float64Array(4);
  const tcp = new TcpServer({ service: echo, counts, limits });
  cleanups.push(() => tcp.close(100));
  return { port: await tcp.listen({ address: "127.0.0.1", port: 0 }), counts, tcp };
}

async function open(port: number) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  await once(socket, "connect");
  cleanups.push(() => socket.destroy());
  const chunks: Buffer[] = [];
  socket.on("data", (octets) => chunks.push(octets));
  const began = performance.now();
  /** Milliseconds until the server ended the connection in any way. */
  const ended = new Promise<number>((resolve) => {
    for (const event of ["end", "close"]) socket.once(event, () => resolve(performance.now() - began));
  });
  return { socket, ended, messages: () => messagesOf(Buffer.concat(chunks)) };
}

function messagesOf(stream: Buffer): Buffer[] {
  if (stream.length < 2 || stream.length < 2 + stream.readUInt16BE()) return [];
  const end = 2 + stream.readUInt16BE();
  return [stream.subarray(2, end), ...messagesOf(stream.subarray(end))];
}

function message(number: number, length = 12, first = 0): Buffer {
  const octets = Buffer.alloc(2 + length);
  octets.writeUInt16BE(length);
  octets[2] = first;
  octets[3] = number & 255;
  return octets;
}

const write = (socket: Socket, octets: Uint8Array) => new Promise<void>((done) => socket.write(octets, () => done()));

describe("DNS over TCP", () => {
  test("two queries on a connection are answered", async () => {
    const { port } = await start();
    const { socket, messages } = await open(port);
    for (const number of [1, 2]) {
      await write(socket, message(number));
      await expect.poll(() => messages().at(-1)?.[1]).toBe(number);
    }
  });

  test("1,000 queries in one write are all answered, in order", async () => {
    const { port } = await start();
    const { socket, messages } = await open(port);
    await write(
      socket,
      Buffer.concat(Array.from({ length: 1000 }, (_, number) => message(number, 12 + (number % 90)))),
    );
    await expect.poll(() => messages().length).toBe(1000);
    expect(
      messages().every((octets, number) => octets[1] === (number & 255) && octets.length === 12 + (number % 90)),
    ).toBe(true);
  });

  test("messages are found in any split of the stream", async () => {
    const { port } = await start();
    const stream = Buffer.concat([message(1, 40), message(2, 12), message(3, 300)]);
    for (const size of [1, 2, 3, 13, 41, 43, 55, 57]) {
      const { socket, messages } = await open(port);
      for (let at = 0; at < stream.length; at += size) {
        await write(socket, stream.subarray(at, at + size));
        if (size > 3) await delay(2);
      }
      await expect
        .poll(() => messages().map((octets) => [octets[1], octets.length]))
        .toEqual([
          [1, 40],
          [2, 12],
          [3, 300],
        ]);
      socket.destroy();
    }
  });

  test("a query of 65,535 octets is answered", async () => {
    const { port } = await start();
    const { socket, messages } = await open(port);
    await write(socket, message(7, 65_535));
    await expect.poll(() => messages()[0]?.length).toBe(65_535);
  });

  test.each([0, 1, 11])("a length of %i closes the connection, after earlier queries are answered", async (length) => {
    const { port } = await start();
    const { socket, messages, ended } = await open(port);
    await write(socket, Buffer.concat([message(1), Buffer.of(0, length), message(2)]));
    await ended;
    expect(messages().map((octets) => octets[1])).toEqual([1]);
  });

  test("a response closes the connection without an answer", async () => {
    const { port } = await start();
    const { socket, messages, ended } = await open(port);
    const response = message(1);
    response[4] = 0x80;
    await write(socket, response);
    await ended;
    expect(messages()).toEqual([]);
  });

  test("a query that fails or gets no answer does not affect the next one", async () => {
    const { port } = await start();
    const { socket, messages } = await open(port);
    await write(socket, Buffer.concat([message(1, 12, 255), message(2, 12, 254), message(3)]));
    await expect.poll(() => messages().map((octets) => octets[1])).toEqual([3]);
  });

  test("a half-closed connection gets its answers, and is then closed", async () => {
    const { port } = await start();
    const { socket, messages, ended } = await open(port);
    socket.end(Buffer.concat([message(1), message(2), message(3).subarray(0, 9)]));
    expect(await ended).toBeLessThan(soon);
    expect(messages().map((octets) => octets[1])).toEqual([1, 2]);
  });

  test("a silent or idle connection is closed after the idle time", async () => {
    const { port } = await start({ idle: 300 });
    const [silent, idle] = [await open(port), await open(port)];
    await write(idle.socket, message(1));
    for (const { ended } of [silent, idle]) expect(await ended).toBeGreaterThan(250);
    expect(idle.messages().length).toBe(1);
  });

  test("an incomplete message ends the connection after the message time, however slowly it arrives", async () => {
    const { port } = await start({ message: 300 });
    const trickle = await open(port);
    const timer = setInterval(() => trickle.socket.write(Buffer.of(0x47)), 50);
    cleanups.push(() => clearInterval(timer));
    const elapsed = await trickle.ended;
    expect(elapsed).toBeGreaterThan(250);
    expect(elapsed).toBeLessThan(soon);
  });

  test("a slow message within its time is answered", async () => {
    const { port } = await start({ message: 2000, idle: 100 });
    const { socket, messages } = await open(port);
    for (const octet of message(5)) {
      await write(socket, Buffer.of(octet));
      await delay(15);
    }
    await expect.poll(() => messages().map((octets) => octets[1])).toEqual([5]);
  });

  test("a client that does not read its answers is no longer read, uses bounded memory, and is closed", async () => {
    const { port, counts } = await start({ stall: 500 });
    const { socket } = await open(port);
    socket.pause();
    const before = process.memoryUsage.rss();
    const flood = Buffer.concat(Array.from({ length: 1000 }, (_, number) => message(number, 12, 253)));
    const pump = () => {
      while (socket.write(flood));
    };
    socket.on("drain", pump);
    pump();
    await expect.poll(() => counts[tcpCounts.connections], { timeout: 5000 }).toBe(0);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("for a client that does not read its answers, few are made, and another client is served", async () => {
    let large = 0;
    const counting: QueryService = {
      ...echo,
      answer: (...given) => {
        const written = echo.answer(...given);
        if (written === 60_000) large++;
        return written;
      },
    };
    const fd = openTcp("127.0.0.1", 0);
    cleanups.push(() => closeFd(fd));
    const tcp = new TcpServer({ service: counting, counts: new Float64Array(4) });
    cleanups.push(() => tcp.close(100));
    const port = await tcp.listen({ fd });
    const { socket } = await open(port);
    socket.pause();
    socket.write(Buffer.concat(Array.from({ length: 1000 }, (_, number) => message(number, 12, 253))));
    let before = 0;
    await expect
      .poll(
        () => {
          const isStill = large > 0 && large === before;
          before = large;
          return isStill;
        },
        { interval: 200 },
      )
      .toBe(true);
    await exchange({ address: "127.0.0.1", port, transport: "tcp" }, message(7).subarray(2));
    expect(large * 60_000).toBeLessThan(1_500_000);
  });

  test("a client that reads late gets all answers", async () => {
    const { port } = await start();
    const { socket, messages } = await open(port);
    socket.pause();
    socket.write(Buffer.concat(Array.from({ length: 200 }, (_, number) => message(number, 12, 253))));
    socket.end();
    await delay(300);
    socket.resume();
    await expect.poll(() => messages().length, { timeout: 5000 }).toBe(200);
    expect(messages().every((octets, number) => octets[1] === number && octets.length === 60_000)).toBe(true);
  });

  test("above the limit the connection without queries for the longest time is closed, and no new one is refused", async () => {
    const { port, counts } = await start({ connections: 20 });
    const idle = await Promise.all(Array.from({ length: 20 }, () => open(port)));
    await expect.poll(() => counts[tcpCounts.connections]).toBe(20);
    await write(idle[0]!.socket, message(1));
    await expect.poll(() => idle[0]!.messages().length).toBe(1);
    for (let number = 0; number < 10; number++) {
      const { socket, messages } = await open(port);
      await write(socket, message(number));
      await expect.poll(() => messages().length).toBe(1);
    }
    expect(counts[tcpCounts.evicted]).toBe(10);
    await write(idle[0]!.socket, message(2));
    await expect.poll(() => idle[0]!.messages().length).toBe(2);
  });

  test("clients that reset their connections do no harm", async () => {
    const { port, counts } = await start();
    for (let number = 0; number < 300; number++) {
      const { socket } = await open(port);
      socket.write(Buffer.concat([message(1, 12, 253), message(2, 12, 253)]));
      socket.resetAndDestroy();
    }
    await expect.poll(() => counts[tcpCounts.connections]).toBe(0);
    const { socket, messages } = await open(port);
    await write(socket, message(9));
    await expect.poll(() => messages().length).toBe(1);
  });

  test("a server listens on several sockets, opened by itself or not", async () => {
    const { tcp } = await start();
    const fd = openTcp("127.0.0.1", 0);
    cleanups.push(() => closeFd(fd));
    for (const socket of [{ address: "::1", port: 0 }, { fd }]) {
      const port = await tcp.listen(socket);
      const address = "fd" in socket ? "127.0.0.1" : socket.address;
      const query = message(3).subarray(2);
      await expect(exchange({ address, port, transport: "tcp" }, query)).resolves.toEqual(new Uint8Array(query));
    }
  });

  test("a draining server accepts no connections, and serves open ones until they end", async () => {
    const { port, tcp } = await start();
    const { socket, messages } = await open(port);
    await write(socket, message(1));
    await expect.poll(() => messages().length).toBe(1);
    const drained = tcp.drain(20_000);
    await write(socket, message(2));
    await expect.poll(() => messages().at(-1)?.[1]).toBe(2);
    await expect(open(port)).rejects.toThrow("ECONNREFUSED");
    socket.end();
    await drained;
  });

  test("a connection that continues is closed at the end of the drain time", async () => {
    const { port, tcp } = await start();
    const { ended } = await open(port);
    await tcp.drain(20);
    await tcp.close(100);
    await ended;
  });

  test("without free descriptors, idle connections are closed for new ones", async () => {
    const server = new URL("./tcp.ts", import.meta.url).pathname;
    const code = `import { TcpServer } from ${JSON.stringify(server)};
      const answer = (query, from, to, _, out, at) => (out.set(query.subarray(from, to), at), to - from);
      const tcp = new TcpServer({ counts: new Float64Array(4), service: { begin() {}, answer, end() {}, failed() {} } });
      console.log(await tcp.listen({ address: "127.0.0.1", port: 0 }));`;
    const child = spawn("sh", ["-c", `ulimit -n 32; exec "$0" --input-type=module -e "$1"`, process.execPath, code]);
    cleanups.push(() => child.kill());
    const port = Number(await once(child.stdout, "data"));
    for (let number = 0; number < 60; number++) await open(port);
    const query = message(3).subarray(2);
    await exchange({ address: "127.0.0.1", port, transport: "tcp" }, query);
  });

  test("random octets do no harm", async () => {
    const { port } = await start({ idle: 50, message: 50 });
    const random = seededRandom(7);
    for (let round = 0; round < 100; round++) {
      const { socket } = await open(port);
      for (let part = 0; part < 3; part++) {
        socket.write(Uint8Array.from({ length: Math.floor(random() * 200) }, () => Math.floor(random() * 256)));
      }
    }
    const { socket, messages } = await open(port);
    await write(socket, message(9));
    await expect.poll(() => messages().length).toBe(1);
  });

  test("closing sends pending answers and ends every connection", async () => {
    const { port, tcp } = await start();
    const { socket, ended, messages } = await open(port);
    await write(socket, message(1));
    await expect.poll(() => messages().length).toBe(1);
    await tcp.close(500);
    expect(await ended).toBeLessThan(soon);
  });
});
