import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { exchange } from "./exchange.ts";

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

const query = Uint8Array.of(0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x41, 0, 0, 1, 0, 1);
const answerTo = (octets: Uint8Array) => Uint8Array.from(octets, (octet, at) => (at === 2 ? octet | 0x80 : octet));

/** A server that answers with what `answers` returns for a query and its number, from 1. */
async function udpServer(answers: (octets: Uint8Array, count: number) => Uint8Array[], address = "127.0.0.1") {
  const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
  socket.bind(0, address);
  await once(socket, "listening");
  cleanups.push(() => socket.close());
  let count = 0;
  socket.on("message", (octets, from) => {
    for (const answer of answers(octets, ++count)) socket.send(answer, from.port, from.address);
  });
  return { address, port: socket.address().port, transport: "udp" as const };
}

async function tcpServer(answer: (octets: Uint8Array) => Uint8Array[]) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", async (octets) => {
      for (const part of answer(octets)) {
        socket.write(part);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      socket.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => server.close());
  return { address: "127.0.0.1", port: (server.address() as AddressInfo).port, transport: "tcp" as const };
}

describe("exchange", () => {
  test("sends over UDP, with either address family", async () => {
    for (const address of ["127.0.0.1", "::1"]) {
      const server = await udpServer((octets) => [answerTo(octets)], address);
      expect(await exchange(server, query)).toEqual(answerTo(query));
    }
  });

  test("repeats the query when an answer is lost", async () => {
    const server = await udpServer((octets, count) => (count < 3 ? [] : [answerTo(octets)]));
    expect(await exchange({ ...server, timeout: 600 }, query)).toEqual(answerTo(query));
  });

  test("accepts only a response to its own question", async () => {
    const right = answerTo(query);
    const forged = [query, right.with(1, 0), right.with(13, 0x42), right.subarray(0, 11)];
    const server = await udpServer(() => [...forged, right]);
    expect(await exchange(server, query)).toEqual(right);
  });

  test("accepts a FORMERR without the question", async () => {
    const bare = answerTo(query).slice(0, 12).with(5, 0).with(3, 1);
    expect(await exchange(await udpServer(() => [bare]), query)).toEqual(bare);
  });

  test("accepts an answer over TCP in pieces", async () => {
    const answer = answerTo(query);
    const server = await tcpServer((octets) => {
      expect([...octets]).toEqual([0, query.length, ...query]);
      return [Uint8Array.of(0), Uint8Array.of(answer.length, ...answer.subarray(0, 5)), answer.subarray(5)];
    });
    expect(await exchange(server, query)).toEqual(answer);
  });

  test("gives the reason for a missing answer", async () => {
    const silent = await udpServer(() => []);
    await expect(exchange({ ...silent, timeout: 100 }, query)).rejects.toThrow(/^did not answer in time over UDP$/);
    const closing = await tcpServer(() => []);
    await expect(exchange(closing, query)).rejects.toThrow("closed without an answer");
    for (const transport of ["udp", "tcp"] as const) {
      await expect(exchange({ address: "127.0.0.1", port: 1, transport }, query)).rejects.toThrow("ECONNREFUSED");
    }
  });
});
