/** Answers with many messages: sent as fast as they are read, one after another on a connection; cut off on failure. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { QueryService } from "../socket/service.ts";
import { TcpServer } from "../tcp.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const octets = 60_000;

/**
 * A server that answers by a query's first octet: 1: as many messages as the second octet says; 2: the same, then an
 * error; 3: messages without end. It echoes all other queries.
 */
async function start(stall = 10_000) {
  const seen = { sent: 0, ended: 0 };
  async function* messages(first: number, count: number) {
    try {
      for (let i = 0; i < count || first === 3; i++) {
        seen.sent++;
        yield new Uint8Array(octets).fill(i);
        if (i % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
      }
      if (first === 2) throw new Error("the store is unreachable");
    } finally {
      seen.ended++;
    }
  }
  const service: QueryService = {
    begin() {},
    answer(query, from, to, _, out, at) {
      out.set(query.subarray(from, to), at);
      return to - from;
    },
    transfer: (query, from) =>
      [1, 2, 3].includes(query[from]!) ? messages(query[from]!, query[from + 1]!) : undefined,
    end() {},
    failed() {},
  };
  const tcp = new TcpServer({ service, counts: new Float64Array(8), limits: { stall } });
  cleanups.push(() => tcp.close(100));
  const port = await tcp.listen({ address: "127.0.0.1", port: 0 });
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  cleanups.push(() => socket.destroy());
  await once(socket, "connect");
  return { seen, socket };
}

const query = (first: number, second: number) => Buffer.of(0, 12, first, second, ...new Uint8Array(10));

test("a query that comes during a long answer is answered after that answer", async () => {
  const { socket } = await start();
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => (received = Buffer.concat([received, chunk])));
  socket.write(Buffer.concat([query(9, 9), query(1, 20), query(7, 7), query(1, 1)]));
  const whole = 2 * (2 + 12) + 21 * (2 + octets);
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(whole);
  expect([...received.subarray(0, 4)]).toEqual([0, 12, 9, 9]);
  expect([...received.subarray(14 + 20 * (2 + octets)).subarray(0, 4)]).toEqual([0, 12, 7, 7]);
});

test("a long answer that fails closes the connection", async () => {
  const { socket, seen } = await start();
  socket.resume();
  socket.write(Buffer.concat([query(2, 3), query(7, 7)]));
  await once(socket, "close");
  expect(seen).toEqual({ sent: 3, ended: 1 });
});

test("the connection of a client that stops reading is closed, after a bounded number of octets", async () => {
  const { socket, seen } = await start(200);
  socket.pause();
  socket.write(query(3, 0));
  await expect.poll(() => seen.ended, { timeout: 10_000 }).toBe(1);
  // the system's buffers, and 256 KiB in the server
  expect(seen.sent * octets).toBeLessThan(32 * 1024 * 1024);
});

test("a client that disconnects ends its answer", async () => {
  const { socket, seen } = await start();
  socket.write(query(3, 0));
  await once(socket, "data");
  socket.destroy();
  await expect.poll(() => seen.ended, { timeout: 10_000 }).toBe(1);
});
