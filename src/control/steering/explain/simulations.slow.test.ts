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
    ...Array.from({ length: 20 }, () => ({ filter: "weighted_shuffle", config: {} })),
    { filter: "select_first_n", config: { N: 1 } },
  ],
});
await other.must("PUT", "zones/calm.example", {});
await other.must("PUT", "zones/calm.example/www.calm.example/A", { answers: [{ answer: ["192.0.2.1"] }] });

/** Takes seconds of CPU time. */
const long = { name, draws: 20_000 };
const explain = (body: object, client: Client = api) => client.call("POST", "explain", body);
/** Sends a request that runs for long, and waits until it has begun. */
async function begin(body: object, client: Client = api) {
  const reply = explain({ ...long, ...body }, client);
  await delay(300);
  return { reply };
}
const outcome = ({ status, body }: Awaited<ReturnType<typeof explain>>) => [status, body["code"], body["message"]];

test("a newer request of an editor takes the place of a running one at once, and of a waiting one", async () => {
  await explain({ name });
  const first = await begin({ editor: "form" });
  const second = await begin({ editor: "form" });
  const replaced = [409, "conflict", 'a newer request of the editor "form" took the place of this one'];
  expect(outcome(await first.reply)).toEqual(replaced);
  const began = performance.now();
  expect((await explain({ name, editor: "form" })).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(2000);
  expect(outcome(await second.reply)).toEqual(replaced);
  const others = [1, 2, 3, 4].map((n) => explain({ ...long, editor: `other ${n}` }));
  await delay(300);
  const waiting = [1, 2, 3].map(() => explain({ name, editor: "form" }));
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([409, 409, 200]);
  for (const { status } of await Promise.all(others)) expect(status).toBe(200);
});

test("editors with other names and of other keys, and requests without a name, take nobody's place", async () => {
  const key = await api.limited({ dns: { view_zones: true } });
  const running = await begin({ draws: 5000, editor: "form" });
  const bodies = [{ editor: "another form" }, {}, {}];
  const replies = [...bodies.map((body) => explain({ name, ...body })), explain({ name, editor: "form" }, key)];
  for (const { status } of await Promise.all([running.reply, ...replies])) expect(status).toBe(200);
});

test("while an account simulates without pause, others read, write and simulate, and so do its further editors", async () => {
  let isOver = false;
  const loops = Array.from({ length: 12 }, async (_, n) => {
    while (!isOver) await explain({ ...long, matrix: n % 2 === 0, draws: n % 2 === 0 ? 100 : 20_000, editor: `e${n}` });
  });
  await delay(1000);
  const longest = { read: 0, write: 0, simulate: 0 };
  const timed = async (what: keyof typeof longest, call: Promise<{ status: number }>) => {
    const began = performance.now();
    expect((await call).status).toBe(200);
    longest[what] = Math.max(longest[what], performance.now() - began);
  };
  const home = "zones/calm.example/www.calm.example/A";
  for (let n = 0; n < 20; n++) {
    await timed("read", other.call("GET", home));
    await timed("write", other.call("POST", home, { ttl: 60 + n }));
    await timed("simulate", explain({ name: "www.calm.example", editor: "e1" }, other));
  }
  isOver = true;
  await Promise.all(loops);
  expect(longest.read).toBeLessThan(500);
  expect(longest.write).toBeLessThan(1000);
  expect(longest.simulate).toBeLessThan(1000);
});

test("too many waiting requests of an account are refused, and none of others", async () => {
  const { own, waiting } = simulationSlots;
  const count = own + waiting.own + 5;
  const many = Array.from({ length: count }, (_, n) => explain({ name, draws: 1000, editor: `m${n}` }));
  await delay(100);
  expect((await explain({ name: "www.calm.example" }, other)).status).toBe(200);
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(own + waiting.own);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
});
