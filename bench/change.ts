/**
 * The time from the API's 200 to the first DNS answer with the change, and the time of a disk sync, for which each change
 * waits once.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../test/service/kit.ts";
import { type Asker, askerOf } from "./kit/asker.ts";
import { bench, type Scale } from "./kit/bench.ts";
import { type ApiClient, apiClient } from "./kit/client.ts";
import { delayRows, load } from "./kit/measure.ts";
import { unlimitedService } from "./kit/served.ts";
import { address, apex } from "./kit/zone.ts";

const domain = `www.${apex}`;
/** Numbers of links to the changing record and to its zone. The last linked name of each kind is asked. */
const links = 1000;
const linkedZones = 100;
const linkedApex = "links.example";
/** The expected milliseconds. */
const expected = { p50: 3, p99: 10 };

await bench(async (scale) => {
  const changes = scale(1000, 20);
  await using running = await unlimitedService();
  await running.zone(apex);
  await running.put(apex, `${domain} A`, ["192.0.2.1"]);
  const client = await apiClient(running);
  const asker = await askerOf(running.port, domain);
  const disk = openSync(join(running.data, "bench-disk"), "w");
  /** Times of consecutive changes, and of disk syncs during that time. */
  const measure = async (...askers: readonly Asker[]) => {
    const times: number[] = [];
    const flushes: number[] = [];
    for (let n = 0; n < changes; n++) {
      const to = address(n);
      await client.call({ method: "POST", path: `zones/${apex}/${domain}/A`, body: { answers: [{ answer: [to] }] } });
      const acknowledged = performance.now();
      for (const { until } of askers) await until(to);
      times.push(performance.now() - acknowledged);
      flushes.push(flush(disk));
    }
    return { times, flushes };
  };
  const alone = await measure(asker);
  const names = await link(running, client, scale);
  const askers = await Promise.all(names.map((name) => askerOf(running.port, name)));
  const linked = await measure(...askers);
  const writing = load(running, 8, (changes * 20) / 1000, (writer, n) => ({
    method: "POST",
    path: `zones/${apex}/records`,
    body: { put: [{ domain: `w${writer}-${n % 100}.${apex}`, type: "A", answers: [{ answer: [address(n)] }] }] },
  }));
  const busy = await measure(asker);
  const { perSecond } = await writing;
  client.close();
  for (const each of [asker, ...askers]) each.close();
  closeSync(disk);
  return [
    ...delayRows("change", "change to answer, alone", alone.times, expected),
    ...delayRows("change", "change to answer under the last of its links", linked.times, expected),
    ...delayRows("change", "the disk meanwhile: one fdatasync of 8 KiB", alone.flushes),
    ...delayRows("change", `change to answer, beside ${perSecond.toFixed(0)} other writes a second`, busy.times),
    { name: "change", measure: "queries without an answer", unit: "", ours: asker.unanswered, peers: {}, target: "" },
  ];
});

/** Links records and zones to the changing record; returns the last name of each kind. */
async function link(running: Service, client: ApiClient, scale: Scale): Promise<readonly string[]> {
  await running.zone(linkedApex);
  const names = Array.from({ length: scale(links, 10) }, (_, i) => `l${i}.${linkedApex}`);
  const put = names.map((name) => ({ domain: name, type: "A", link: domain }));
  await client.call({ method: "POST", path: `zones/${linkedApex}/records`, body: { put } });
  const zones = Array.from({ length: scale(linkedZones, 2) }, (_, i) => `linked${i}.example`);
  for (const zone of zones) await client.call({ method: "PUT", path: `zones/${zone}`, body: { link: apex } });
  return [names.at(-1)!, `www.${zones.at(-1)}`];
}

/** Milliseconds to write and sync a page. */
function flush(disk: number): number {
  writeSync(disk, Buffer.alloc(8192));
  const began = performance.now();
  fdatasyncSync(disk);
  return performance.now() - began;
}
