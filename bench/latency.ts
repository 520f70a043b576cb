/**
 * Times of answers at 5,000 queries a second, with and without 100 changes of records a second, in pairs. Each pair
 * includes an empty echo over the same transport, which shows how quiet the machine is.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "../test/service/kit.ts";
import { bench } from "./kit/bench.ts";
import { apiClient } from "./kit/client.ts";
import { startEcho } from "./kit/echo.ts";
import { temporary } from "./kit/files.ts";
import { askTimed, questionsIn } from "./kit/load.ts";
import { median, percentile } from "./kit/measure.ts";
import { atMost, type Row } from "./kit/rows.ts";
import { contenderOf, fill, unlimitedService } from "./kit/served.ts";
import { address, apex, host, hostsZone } from "./kit/zone.ts";

const name = "latency";
const rate = 5000;
const changesPerSecond = 100;
const most = 1.5;
const pairs = 5;

await bench((scale) =>
  temporary(async (directory): Promise<Row[]> => {
    const hosts = scale(10_000, 1000);
    const drawn = Array.from({ length: hosts }, (_, i) => `${host((i * 7919) % hosts)} A`);
    const load = { questions: questionsIn(`${directory}/questions`, drawn), seconds: scale(5), rate };
    const running = await unlimitedService({ flags: ["--workers", "1"] });
    await using ours = await contenderOf(running);
    await fill(running, hostsZone(hosts));
    await using echo = await startEcho();
    const p99 = async (port: number) =>
      percentile(
        [...(await askTimed(port, load)).times].sort((a, b) => a - b),
        0.99,
      );
    await p99(ours.port);
    const samples: { empty: number; without: number; during: number }[] = [];
    for (let pair = 0; pair < scale(pairs); pair++) {
      const empty = await p99(echo.port);
      const without = await p99(ours.port);
      const ending = new AbortController();
      const changing = change(running, hosts, ending.signal);
      const during = await p99(ours.port);
      ending.abort();
      await changing;
      samples.push({ empty, without, during });
    }
    const ratio = median(samples.map(({ without, during }) => during / without));
    const row = (measure: string, ours: number): Row => ({ name, measure, unit: "ms", ours, peers: {}, target: "" });
    return [
      row(`p99 at ${rate}/s: an empty echo`, median(samples.map(({ empty }) => empty))),
      row(`p99 at ${rate}/s`, median(samples.map(({ without }) => without))),
      row(`p99 at ${rate}/s, ${changesPerSecond} changes a second`, median(samples.map(({ during }) => during))),
      {
        ...{ name, measure: "the second by the first, of the median pair", unit: "x", ours: ratio, peers: {} },
        ...atMost(ratio, most, "x"),
      },
    ];
  }),
);

/** Changes records one after another, at `changesPerSecond`, until `ending` aborts. */
async function change(running: Service, hosts: number, ending: AbortSignal): Promise<void> {
  const { call, close } = await apiClient(running);
  const began = performance.now();
  for (let n = 0; !ending.aborted; n++) {
    const domain = host(n % hosts);
    await call({
      method: "POST",
      path: `zones/${apex}/${domain}/A`,
      body: { answers: [{ answer: [address(n + 1)] }] },
    });
    await delay(Math.max(0, began + ((n + 1) * 1000) / changesPerSecond - performance.now()));
  }
  close();
}
