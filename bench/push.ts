/** Durable pushes to data feeds over the API: rate, CPU time, and the time from the reply to the first answer with the value. */
import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "../test/service/kit.ts";
import { askerOf } from "./kit/asker.ts";
import { bench, type Scale } from "./kit/bench.ts";
import { apiClient, type Call } from "./kit/client.ts";
import { delayRows, load } from "./kit/measure.ts";
import { atLeast, type Row } from "./kit/rows.ts";
import { unlimitedService } from "./kit/served.ts";
import { apex } from "./kit/zone.ts";

const clients = 64;
const feedCount = 1000;
/** The expected durable pushes a second to all feeds, on two cores. */
const expected = 5000;
/** Milliseconds from a push's reply to the first answer with the value. */
const expectedDelay = { p99: 10 };
const seconds = 10;
/** The number of feeds whose answers are watched, large enough that each feed is quiet before its next push. */
const watchedCount = 40;
const [primary, fallback] = ["192.0.2.1", "192.0.2.2"];

interface Source {
  readonly id: string;
  readonly feeds: readonly string[];
}

await bench(async (scale) => {
  await using running = await unlimitedService();
  const large = await source(running, feedCount);
  return [...(await rates(running, large, scale)), ...(await delays(running, large, scale))];
});

async function rates(running: Service, large: Source, scale: Scale): Promise<Row[]> {
  const small = await Promise.all(Array.from({ length: 100 }, () => source(running, 10)));
  const rows: Row[] = [];
  const measure = async (what: string, next: (turn: number) => Call) => {
    let turn = 0;
    const { perSecond, p99, control, store } = await load(running, clients, scale(seconds), () => next(turn++));
    const common = { name: "push", peers: {}, target: "" };
    rows.push(
      { ...common, measure: what, unit: "/s", ours: perSecond, ...atLeast(perSecond, expected, "/s") },
      { ...common, measure: `${what}: p99`, unit: "ms", ours: p99 },
      { ...common, measure: `${what}: CPU time of API and store`, unit: "us a push", ours: (control + store) * 1000 },
    );
  };
  await measure("one of 1,000 feeds, by id", (n) => push(large.feeds[(n * 7) % feedCount]!, values(n)));
  await measure("one of 1,000 feeds, by label", (n) => push(large.id, { [`f${(n * 7) % feedCount}`]: values(n) }));
  await measure("10 feeds of 1 of 100 sources", (n) => push(small[n % small.length]!.id, values(n)));
  return rows;
}

async function delays(running: Service, large: Source, scale: Scale): Promise<Row[]> {
  await running.zone(apex);
  const health = await source(running, watchedCount);
  const watched = await Promise.all(health.feeds.map((feed, n) => watch(running, feed, `www${n}.${apex}`)));
  const client = await apiClient(running);
  /**
   * Times of pushes to one feed after another. Each feed was quiet before, except for `before` pushes just before the
   * measured one.
   */
  const measure = async (before = 0) => {
    const times: number[] = [];
    const end = performance.now() + scale(seconds) * 1000;
    for (let n = 0; performance.now() < end; n++) {
      const one = watched[n % watched.length]!;
      await delay(one.quietFrom - performance.now());
      for (let k = before; k > 0; k--) await client.call(push(one.feed, { up: k % 2 === 0 ? one.up : !one.up }));
      one.up = !one.up;
      await client.call(push(one.feed, { up: one.up }));
      const acknowledged = performance.now();
      await one.asker.until(one.up ? primary : fallback);
      times.push(performance.now() - acknowledged);
      one.quietFrom = performance.now() + 150;
    }
    return times;
  };
  const alone = await measure();
  const burst = await measure(20);
  const others = load(running, 16, scale(seconds), (_, n) => push(large.feeds[(n * 7) % feedCount]!, values(n)));
  const busy = await measure();
  const { perSecond } = await others;
  client.close();
  for (const { asker } of watched) asker.close();
  return [
    ...delayRows("push", "push to answer, alone, to a quiet feed", alone, expectedDelay),
    ...delayRows("push", "push to answer, the last of 21 in a row to one feed", burst),
    ...delayRows("push", `push to answer, to a quiet feed, beside ${perSecond.toFixed(0)} other pushes a second`, busy),
  ];
}

/** Creates a name with an answer that shows whether the feed is up. */
async function watch(running: Service, feed: string, domain: string) {
  await running.api("PUT", `zones/${apex}/${domain}/A`, {
    answers: [
      { answer: [primary], meta: { up: { feed } } },
      { answer: [fallback], meta: { up: true } },
    ],
    filters: [
      { filter: "up", config: {} },
      { filter: "select_first_n", config: { N: "1" } },
    ],
  });
  const asker = await askerOf(running.port, domain);
  await asker.until(fallback);
  return { feed, asker, up: false, quietFrom: 0 };
}

/** A source with feeds labelled f0, f1, ... */
async function source(running: Service, feeds: number): Promise<Source> {
  const made = async (path: string, body: object) => (await running.api<{ id: string }>("PUT", path, body)).body.id;
  const id = await made("data/sources", { name: "bench", sourcetype: "nsone_v1" });
  const ids: string[] = [];
  for (let n = 0; n < feeds; n++) {
    ids.push(await made(`data/feeds/${id}`, { name: `f${n}`, config: { label: `f${n}` } }));
  }
  return { id, feeds: ids };
}

function values(n: number) {
  return { up: n % 3 > 0, weight: n % 100, loadavg: (n % 50) / 10 };
}

function push(id: string, body: object): Call {
  return { method: "POST", path: `feed/${id}`, body };
}
