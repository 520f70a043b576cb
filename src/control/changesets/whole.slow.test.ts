/** No answer shows only a part of a change set: queries to a running edge need records of two zones. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { queryOf } from "../../../test/engine/states.ts";
import { startApi } from "../../../test/service/api.ts";
import { edgeBeside } from "../../../test/service/edge.ts";
import { EdgeState } from "../../edge/follow/state.ts";
import type { ChangeSet } from "../../sync/change.ts";

const api = await startApi({ deletionGuard: 100 });
const { port } = await edgeBeside(api, { workers: 2 });

const [one, two] = ["one.example", "two.example"];
let generation = 0;

/** The alias in one zone leads to a name in the other zone that exists in one generation only. */
async function turnOver(): Promise<string> {
  const from = generation++;
  const records = [
    { action: "put", zone: one, domain: `www.${one}`, type: "CNAME", answers: [{ answer: [`g${generation}.${two}`] }] },
    { action: "put", zone: two, domain: `g${generation}.${two}`, type: "A", answers: [{ answer: ["192.0.2.1"] }] },
    ...(from === 0 ? [] : [{ action: "delete", zone: two, domain: `g${from}.${two}`, type: "A" }]),
  ];
  const zones = from === 0 ? [one, two].map((zone) => ({ action: "create", zone })) : [];
  return (await api.must<{ id: string }>("PUT", "changesets", { zones, records })).id;
}

/** Sends `count` queries, many at once, and counts the replies that do not have both records. */
async function ask(count: number): Promise<{ readonly halves: number; readonly asked: number }> {
  const socket = createSocket("udp4");
  socket.connect(port, "127.0.0.1");
  await once(socket, "connect");
  const query = Buffer.from(queryOf(`www.${one} A`));
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let [asked, halves, last] = [0, 0, performance.now()];
  const send = () => socket.send(query);
  socket.on("message", (reply) => {
    last = performance.now();
    // RCODE and ANCOUNT (RFC 1035 section 4.1.1): the alias with its target
    if ((reply[3]! & 15) !== 0 || reply.readUInt16BE(6) !== 2) halves++;
    if (++asked === count) resolve();
    else send();
  });
  const atOnce = 64;
  for (let n = 0; n < atOnce; n++) send();
  // lost datagrams get no answer
  const again = setInterval(() => performance.now() - last > 200 && send(), 100);
  await done;
  clearInterval(again);
  socket.close();
  return { halves, asked };
}

/** Applies change sets, one after the other, until `work` ends. */
async function whileTurning<T>(work: Promise<T>): Promise<T> {
  let working = true;
  const ended = work.finally(() => {
    working = false;
  });
  while (working) await turnOver();
  return await ended;
}

const apply = EdgeState.prototype.apply;
afterEach(() => {
  EdgeState.prototype.apply = apply;
});

const isLive = async (id: string) => (await api.must("GET", `changesets/${id}`))["live"];

test("100,000 answers from two zones are complete while change sets are applied", { timeout: 300_000 }, async () => {
  const id = await turnOver();
  await expect.poll(() => isLive(id)).toBe(true);
  const before = generation;
  expect(await whileTurning(ask(100_000))).toEqual({ halves: 0, asked: 100_000 });
  expect(generation - before).toBeGreaterThan(5);
});

test("these queries detect an edge that shows the changes of a set one by one", async () => {
  EdgeState.prototype.apply = async function (this: EdgeState, sets: readonly ChangeSet[]) {
    for (const set of sets) {
      for (const change of set.changes) {
        await apply.call(this, [{ ...set, changes: [change] }]);
        await delay(1);
      }
    }
  };
  const { halves } = await whileTurning(ask(20_000));
  expect(halves).toBeGreaterThan(0);
});
