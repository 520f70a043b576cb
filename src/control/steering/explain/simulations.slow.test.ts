/** Simulations of several editors and accounts at once: who takes whose place, who waits, and who is refused. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Client, startApi } from "../../../../test/service/api.ts";
import { simulationSlots } from "./simulations.ts";

const api = await startApi();
const other = await api.stranger();
const zone = "busy.example";
const name = `www.${zone}`;
await api.must("PUT", `zones/${zone}`, {});
await api.must("PUT", `zones/${zone}/${name}/A`, {
  answers: Array.from({ length: 100 }, (_, i) => ({ answer: [`198.51.100.${i}`], meta: { weight: i + 1 } })),
  filters: [
    { filter: "weighted_shuffle", config: {} },
    { filter: "select_first_n", config: { N: 1 } },
  ],
});
const home = "zones/calm.example/www.calm.example/A";
await other.must("PUT", "zones/calm.example", {});
await other.must("PUT", home, { answers: [{ answer: ["192.0.2.1"] }] });

const explain = (body: object, client: Client = api) => client.call("POST", "explain", { name, ...body });
const statusOf = async (body: object, client: Client = api) => (await explain(body, client)).status;
const statusesOf = (replies: readonly ReturnType<typeof explain>[]) =>
  Promise.all(replies.map(async (reply) => (await reply).status));
const long = { draws: 100_000 };

/** Sends long requests of some editors, and gives them time to begin. */
async function begin(editors: readonly string[]) {
  const replies = editors.map((editor) => explain({ ...long, editor }));
  await delay(300);
  return replies;
}

test("a newer request of an editor takes the place of a running one at once, and of a waiting one", async () => {
  const [first] = await begin(["form"]);
  const [second] = await begin(["form"]);
  const { status, body } = await first!;
  const message = 'a newer request of the editor "form" took the place of this one';
  expect([status, body["code"], body["message"]]).toEqual([409, "conflict", message]);
  expect(await statusOf({ editor: "form" })).toBe(200);
  expect((await second!).status).toBe(409);
  const editors = Array.from({ length: simulationSlots.own }, (_, n) => `other ${n}`);
  const running = await begin(editors);
  const waiting = [1, 2, 3].map(() => explain({ editor: "form" }));
  expect(await statusesOf(waiting.slice(0, 2))).toEqual([409, 409]);
  const newer = editors.map((editor) => explain({ editor }));
  expect(await statusesOf(running)).toEqual(editors.map(() => 409));
  expect(await statusesOf([...newer, waiting[2]!])).toEqual([...editors.map(() => 200), 200]);
});

test("editors with other names and of other keys, and requests without a name, take nobody's place", async () => {
  const key = await api.limited({ dns: { view_zones: true } });
  const [running] = await begin(["form"]);
  const replies = [explain({ editor: "another form" }), explain({}), explain({}), explain({ editor: "form" }, key)];
  expect(await statusesOf(replies)).toEqual([200, 200, 200, 200]);
  const isOver = await Promise.race([running!.then(() => true), delay(0).then(() => false)]);
  if (!isOver) expect(await statusOf({ editor: "form" })).toBe(200);
  expect((await running!).status).toBe(isOver ? 200 : 409);
});

test("while an account simulates without a pause, others read, write and simulate", async () => {
  let isOver = false;
  const editors = Array.from({ length: 2 * simulationSlots.own }, (_, n) => `e${n}`);
  const loops = editors.map(async (editor, n) => {
    const body = n % 2 === 0 ? { matrix: true, draws: 100 } : long;
    while (!isOver) await explain({ ...body, editor });
  });
  await delay(1000);
  const times: number[] = [];
  const timed = async (call: Promise<number>) => {
    const began = performance.now();
    expect(await call).toBe(200);
    times.push(performance.now() - began);
  };
  for (let n = 0; n < 20; n++) {
    await timed(other.call("GET", home).then(({ status }) => status));
    await timed(other.call("POST", home, { ttl: 60 + n }).then(({ status }) => status));
    await timed(statusOf({ name: "www.calm.example", editor: "e1" }, other));
  }
  isOver = true;
  await Promise.all([...editors.map((editor) => explain({ editor })), ...loops]);
  times.sort((a, b) => a - b);
  // long before one of the account's simulations is done
  expect(times[times.length >> 1]).toBeLessThan(500);
});

test("further requests of an account are refused when too many wait, and none of others", async () => {
  const { own, waiting } = simulationSlots;
  const editors = Array.from({ length: own }, (_, n) => `long ${n}`);
  const running = await begin(editors);
  const short = Array.from({ length: waiting.own + 5 }, (_, n) => explain({ editor: `short ${n}` }));
  expect(await statusOf({ name: "www.calm.example" }, other)).toBe(200);
  expect(await statusesOf(short.slice(waiting.own))).toEqual([429, 429, 429, 429, 429]);
  const newer = editors.map((editor) => explain({ editor }));
  expect(await statusesOf(running)).toEqual(editors.map(() => 409));
  expect(await statusesOf(short.slice(0, waiting.own))).toEqual(short.slice(5).map(() => 200));
  for (const status of await statusesOf(newer)) expect([200, 429]).toContain(status);
});
