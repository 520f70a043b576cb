/** Primaries that keep the connection open, close it, or are silent on it. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { PrimaryConnection } from "./primary-connection.ts";

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A connection to a server that handles each query with a function, and the number of its connections. */
async function connectionTo(answer: (socket: Socket, query: Buffer) => void) {
  const calls = { count: 0 };
  const server = createServer((socket) => {
    calls.count++;
    cleanups.push(() => socket.destroy());
    socket.on("error", () => {}).on("data", (query) => answer(socket, query));
  }).listen(0, "127.0.0.1");
  cleanups.push(() => server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const ending = new AbortController();
  const { signal } = ending;
  const connection = new PrimaryConnection({ address: "127.0.0.1", port, message: 5000, total: 10_000, signal });
  cleanups.push(() => connection.close());
  const zone = async () => {
    for await (const message of connection.messages(Uint8Array.of(2))) return message;
    return undefined;
  };
  return { calls, ending, serial: () => connection.first(Uint8Array.of(1)), zone };
}

test("a zone is transferred over the connection of its SOA query, and the next zone over another connection", async () => {
  const { calls, serial, zone } = await connectionTo((socket, query) => socket.write(query));
  expect([await serial(), await zone(), calls.count]).toEqual([Uint8Array.of(1), Uint8Array.of(2), 1]);
  expect([await zone(), calls.count]).toEqual([Uint8Array.of(2), 2]);
});

test("a server that closes the connection after its answer is asked over another connection", async () => {
  const ends = await connectionTo((socket, query) => socket.end(query));
  expect([await ends.serial(), await ends.zone(), ends.calls.count]).toEqual([Uint8Array.of(1), Uint8Array.of(2), 2]);
  let asked = 0;
  const breaks = await connectionTo((socket, query) =>
    ++asked === 2 ? socket.resetAndDestroy() : socket.write(query),
  );
  expect([await breaks.serial(), await breaks.zone(), breaks.calls.count]).toEqual([
    Uint8Array.of(1),
    Uint8Array.of(2),
    2,
  ]);
});

test("a query fails if it fails over the second connection too", async () => {
  const { calls, serial, zone } = await connectionTo((socket, query) => {
    if (query[2] === 1) socket.write(query);
    else socket.end(query.subarray(0, 2));
  });
  await serial();
  await expect(zone()).rejects.toThrow("closed the connection before its answer was complete");
  expect(calls.count).toBe(2);
});

test("a server that is silent on the connection is not waited for a second time", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  cleanups.push(() => vi.useRealTimers());
  const { calls, serial, zone } = await connectionTo((socket, query) => {
    if (query[2] === 1) socket.write(query);
    else vi.advanceTimersByTime(5000);
  });
  await serial();
  await expect(zone()).rejects.toThrow("did not answer in time");
  expect(calls.count).toBe(1);
});

test("a service that is stopping does not ask again", async () => {
  const { calls, ending, serial, zone } = await connectionTo((socket, query) => {
    if (query[2] === 1) socket.write(query);
    else ending.abort(new Error("the service ends"));
  });
  await serial();
  await expect(zone()).rejects.toThrow("the service ends");
  expect(calls.count).toBe(1);
});
