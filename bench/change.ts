/** From the API's 200 to the first DNS answer that shows the change. node bench/change.ts [changes] */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { question } from "../test/dns/message.ts";
import { labels } from "../test/dns/names.ts";
import { service } from "../test/kit.ts";
import { apiClient } from "./client.ts";
import { type Load, load, percentile, printTable } from "./measure.ts";

const changes = Number(process.argv[2] ?? 1000);
const zone = "example.com";
const domain = `www.${zone}`;
/** Milliseconds after which a query is taken to be lost. */
const patience = 1000;
let unanswered = 0;
/** Milliseconds that are expected at the 99th percentile. */
const expected = 10;

await using running = await service({ flags: ["--rate-limit", "100000000/1"] });
await running.zone(zone);
await running.put(zone, `${domain} A`, ["192.0.2.1"]);
const client = await apiClient(running);
const socket = createSocket("udp4");
socket.connect(running.port, "127.0.0.1");
await once(socket, "connect");
const query = question(labels(domain), 1);

const alone = await measure();
const writing = load(running, 8, (changes * 20) / 1000, (writer, n) => ({
  method: "POST",
  path: `zones/${zone}/records`,
  body: { put: [{ domain: `w${writer}-${n % 100}.${zone}`, type: "A", answers: [{ answer: [addressOf(n)] }] }] },
}));
const busy = await measure();
const { perSecond }: Load = await writing;
client.close();
socket.close();

printTable(
  ["change to answer", "p50 ms", "p99 ms", "greatest ms", `p99 of ${expected} ms`],
  [
    ["alone", ...columns(alone)],
    [`beside ${perSecond.toFixed(0)} other writes a second`, ...columns(busy)],
  ],
);

process.stdout.write(`${unanswered} queries without an answer\n`);

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
    const rdata = Buffer.from(address.split(".").map(Number));
    while (!(await ask()).subarray(-4).equals(rdata));
    times.push(performance.now() - acknowledged);
  }
  return times.sort((a, b) => a - b);
}

/** The only record's RDATA are the last octets of the answer. A query without one is counted, and asked again. */
async function ask(): Promise<Buffer> {
  for (;;) {
    socket.send(query);
    const answer = await once(socket, "message", { signal: AbortSignal.timeout(patience) }).catch(() => undefined);
    if (answer) return answer[0];
    unanswered++;
  }
}

function addressOf(n: number): string {
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

function columns(sorted: readonly number[]): string[] {
  const p99 = percentile(sorted, 0.99);
  const greatest = sorted.at(-1) ?? Number.NaN;
  return [percentile(sorted, 0.5), p99, greatest]
    .map((time) => time.toFixed(2))
    .concat(`${(p99 / expected).toFixed(2)} x`);
}
