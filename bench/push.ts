/**
 * Pushes to data feeds, durably, over the API: rate and CPU time, and from the reply of a push to the first DNS answer that
 * shows it. node bench/push.ts [seconds] [clients]
 */
import { service } from "../test/kit.ts";
import { askerOf } from "./asker.ts";
import { apiClient, type Call } from "./client.ts";
import { delayColumns, type Load, load, printTable } from "./measure.ts";

const seconds = Number(process.argv[2] ?? 10);
const clients = Number(process.argv[3] ?? 64);
const feedCount = 1000;
/** Durable pushes a second over all feeds that are expected of two cores. */
const expected = 5000;
/** Milliseconds from a push's reply to the answer, at the 99th percentile. */
const expectedDelay = 10;

await using running = await service({ flags: ["--rate-limit", "100000000/1"] });

/** A source with feeds labelled f0, f1, ... */
async function source(feeds: number): Promise<{ id: string; feeds: string[] }> {
  const made = async (path: string, body: object) => (await running.api<{ id: string }>("PUT", path, body)).body.id;
  const id = await made("data/sources", { name: "bench", sourcetype: "nsone_v1" });
  const ids: string[] = [];
  for (let n = 0; n < feeds; n++)
    ids.push(await made(`data/feeds/${id}`, { name: `f${n}`, config: { label: `f${n}` } }));
  return { id, feeds: ids };
}

const large = await source(feedCount);
const small = await Promise.all(Array.from({ length: 100 }, () => source(10)));
const values = (n: number) => ({ up: n % 3 > 0, weight: n % 100, loadavg: (n % 50) / 10 });

const rows: [string, Load][] = [];
const measure = async (name: string, next: (turn: number) => Call) => {
  let turn = 0;
  rows.push([name, await load(running, clients, seconds, () => next(turn++))]);
};
const push = (id: string, body: object): Call => ({ method: "POST", path: `feed/${id}`, body });
await measure("one of 1,000 feeds, by id", (n) => push(large.feeds[(n * 7) % feedCount]!, values(n)));
await measure("one of 1,000 feeds, by label", (n) => push(large.id, { [`f${(n * 7) % feedCount}`]: values(n) }));
await measure("10 feeds of 1 of 100 sources", (n) => push(small[n % small.length]!.id, values(n)));

printTable(
  [`${clients} clients`, "a second", "p50 ms", "p99 ms", "API's CPU us", "store's CPU us", `of ${expected}/s`],
  rows.map(([name, { perSecond, p50, p99, control, store }]) => [
    name,
    perSecond.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(2),
    (control * 1000).toFixed(0),
    (store * 1000).toFixed(0),
    `${(perSecond / expected).toFixed(2)} x`,
  ]),
);

const zone = "example.com";
const domain = `www.${zone}`;
const [primary, fallback] = ["192.0.2.1", "192.0.2.2"];
const health = await source(1);
await running.zone(zone);
await running.api("PUT", `zones/${zone}/${domain}/A`, {
  answers: [
    { answer: [primary], meta: { up: { feed: health.feeds[0] } } },
    { answer: [fallback], meta: { up: true } },
  ],
  filters: [
    { filter: "up", config: {} },
    { filter: "select_first_n", config: { N: "1" } },
  ],
});
const asker = await askerOf(running.port, domain);
await asker.until(fallback);
const client = await apiClient(running);

/** Milliseconds from reply to answer of pushes one after another, sorted, for a time. */
async function delays(): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  for (let up = true; performance.now() < end; up = !up) {
    await client.call(push(health.id, { up }));
    const acknowledged = performance.now();
    await asker.until(up ? primary : fallback);
    times.push(performance.now() - acknowledged);
  }
  return times.sort((a, b) => a - b);
}

const alone = await delays();
const others = load(running, 16, seconds, (_, n) => push(large.feeds[(n * 7) % feedCount]!, values(n)));
const busy = await delays();
const { perSecond } = await others;
client.close();
asker.close();

printTable(
  ["push to answer", "p50 ms", "p99 ms", "greatest ms", `p99 of ${expectedDelay} ms`],
  [
    [`alone (${alone.length} pushes)`, ...delayColumns(alone, expectedDelay)],
    [`beside ${perSecond.toFixed(0)} other pushes a second`, ...delayColumns(busy, expectedDelay)],
  ],
);
process.stdout.write(`${asker.unanswered} queries without an answer\n`);
