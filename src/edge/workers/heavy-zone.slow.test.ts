/** A zone whose chains take more time than the worker has: queries for other zones come first. */
import { createSocket } from "node:dgram";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { ask, baselineOf, queryOf, recordState, zoneState } from "../../../test/engine/states.ts";
import { startWorkers } from "../../../test/network/workers.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const [heavy, light] = [zoneState("heavy.example"), zoneState("light.example")];
const filters = Array.from({ length: 64 }, () => ({ filter: "weighted_shuffle", config: {} }));
const answers = Array.from({ length: 100 }, (_, n) => ({
  id: String(n),
  answer: [`192.0.2.${n}`],
  meta: { weight: n },
}));
const records = [
  { ...recordState(heavy, "www.heavy.example", "A"), answers, filters },
  recordState(light, "www.light.example", "A", ["192.0.2.1"]),
];

/** Sends sixteen queries for the heavy name each millisecond until the function that it returns is called. */
function flood(port: number): () => void {
  const socket = createSocket("udp4");
  socket.on("error", () => {});
  const query = queryOf("www.heavy.example A");
  const timer = setInterval(() => {
    for (let n = 0; n < 16; n++) socket.send(query, port, "127.0.0.1");
  }, 1);
  return () => {
    clearInterval(timer);
    socket.close();
  };
}

/** Sends forty queries for the heavy name and then one for the light name; returns how many of them were answered before it. */
async function overtaken(port: number): Promise<number> {
  const socket = createSocket("udp4");
  let before = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on("message", (reply) => {
    if (reply.includes("light")) resolve();
    else before++;
  });
  const timer = setTimeout(() => reject(new Error("no answer for the light name")), 5000);
  for (let n = 0; n < 40; n++) socket.send(queryOf("www.heavy.example A"), port, "127.0.0.1");
  socket.send(queryOf("www.light.example A"), port, "127.0.0.1");
  await promise.finally(() => {
    clearTimeout(timer);
    socket.close();
  });
  return before;
}

test("a query for another zone overtakes those for a zone that takes all of the time", {
  timeout: 60_000,
}, async () => {
  const { server } = await startWorkers({ count: 1, baseline: baselineOf([heavy, light], records), cleanups });
  const end = flood(server.port);
  await delay(500);
  let before = 0;
  for (let round = 0; round < 20; round++) {
    before += await overtaken(server.port);
    await delay(20);
  }
  end();
  expect(before / 20).toBeLessThan(10);
  await delay(500);
  expect(await ask({ ...server, timeout: 5000 }, "www.heavy.example A")).toMatch(/^NOERROR/);
});
