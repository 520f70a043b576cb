/**
 * From the API's 200 to the first DNS answer that shows the change, and beside it how long the disk takes to keep what
 * was written: each change waits once for that on its way. node bench/change.ts [changes]
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { service } from "../test/kit.ts";
import { askerOf } from "./asker.ts";
import { apiClient } from "./client.ts";
import { delayColumns, type Load, load, printTable } from "./measure.ts";

const changes = Number(process.argv[2] ?? 1000);
const zone = "example.com";
const domain = `www.${zone}`;
/** Milliseconds that are expected at the 99th percentile. */
const expected = 10;

await using running = await service({ flags: ["--rate-limit", "100000000/1"] });
await running.zone(zone);
await running.put(zone, `${domain} A`, ["192.0.2.1"]);
const client = await apiClient(running);
const asker = await askerOf(running.port, domain);

const disk = openSync(join(running.data, "bench-disk"), "w");
const page = Buffer.alloc(8192);
const flushes: number[] = [];

const alone = await measure();
const flushed = flushes.splice(0).sort((a, b) => a - b);
const writing = load(running, 8, (changes * 20) / 1000, (writer, n) => ({
  method: "POST",
  path: `zones/${zone}/records`,
  body: { put: [{ domain: `w${writer}-${n % 100}.${zone}`, type: "A", answers: [{ answer: [addressOf(n)] }] }] },
}));
const busy = await measure();
const { perSecond }: Load = await writing;
client.close();
asker.close();
closeSync(disk);

printTable(
  ["change to answer", "p50 ms", "p99 ms", "greatest ms", `p99 of ${expected} ms`],
  [
    ["alone", ...delayColumns(alone, expected)],
    ["the disk meanwhile: one fdatasync of 8 KiB", ...delayColumns(flushed, expected)],
    [`beside ${perSecond.toFixed(0)} other writes a second`, ...delayColumns(busy, expected)],
  ],
);

process.stdout.write(`${asker.unanswered} queries without an answer\n`);

/** Times of changes one after another, in order of size. */
async function measure(): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < changes; n++) {
    const address = addressOf(n);
    await client.call({
      method: "POST",
      path: `zones/${zone}/${domain}/A`,
      body: { answers: [{ answer: [address] }] },
    });
    const acknowledged = performance.now();
    await asker.until(address);
    times.push(performance.now() - acknowledged);
    flushes.push(flush());
  }
  return times.sort((a, b) => a - b);
}

/** Milliseconds that a page takes to the disk. */
function flush(): number {
  writeSync(disk, page);
  const began = performance.now();
  fdatasyncSync(disk);
  return performance.now() - began;
}

function addressOf(n: number): string {
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}
