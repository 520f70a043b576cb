/** A zone file from its upload to the answers, and what others notice of it meanwhile. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { grantOf } from "../src/control/access/permit.ts";
import { readZoneFile } from "../src/control/zonefiles/read.ts";
import { question } from "../test/dns/message.ts";
import { labels } from "../test/dns/names.ts";
import type { Service } from "../test/kit.ts";
import { cpuTime, timeOfEnded } from "../test/proc.ts";
import { rolesOf } from "../test/roles.ts";
import { bench } from "./kit/bench.ts";
import { apiClient } from "./kit/client.ts";
import { percentile } from "./kit/measure.ts";
import { above, below, type Row } from "./kit/rows.ts";
import { unlimitedService } from "./kit/served.ts";

const name = "import";
const queriesPerSecond = 5000;
const quiet = "quiet.example";
/** Records a second that are stored and answered for; `zonefile.ts` has what is expected of the parser. */
const least = 50_000;
/** How many times as long answers may take meanwhile. */
const slower = 2;

await bench(async (scale): Promise<Row[]> => {
  const records = scale(1_000_000, 10_000);
  const file = Buffer.from(zoneText(records));
  const read = await readAlone(file, records);
  await using running = await unlimitedService();
  await running.zone(quiet);
  await running.put(quiet, `www.${quiet} A`, ["192.0.2.1"]);
  const alone = await importOnce(running, "idle.example", file, records);
  await using others = await startOthers(running);
  await delay(scale(5) * 1000);
  const before = others.take();
  const loaded = await importOnce(running, "big.example", file, records);
  const during = others.take();
  const [api, dns] = [ratioOf(before.api, during.api), ratioOf(before.dns, during.dns)];
  const row = { name, peers: {}, target: "" };
  return [
    { ...row, measure: "read and composed alone", unit: "/s", ours: read },
    {
      ...{ ...row, measure: `${records} records stored and answered`, unit: "/s", ours: alone.rate },
      ...above(alone.rate, least, "/s"),
    },
    { ...row, measure: "CPU time of API, store and edge", unit: "us a record", ours: alone.cpu },
    { ...row, measure: `beside ${queriesPerSecond} queries/s and an API client`, unit: "/s", ours: loaded.rate },
    {
      ...{ ...row, measure: "queries meanwhile without an answer", unit: "", ours: during.unanswered },
      ...below(during.unanswered, 0, ""),
    },
    { ...row, measure: "p99 of answers before", unit: "ms", ours: percentile(before.dns, 0.99) },
    { ...row, measure: "p99 of answers meanwhile by that", unit: "x", ours: dns, ...below(dns, slower, "x") },
    { ...row, measure: "p99 of API calls meanwhile by that before", unit: "x", ours: api },
  ];
});

function ratioOf(before: readonly number[], during: readonly number[]): number {
  return percentile(during, 0.99) / percentile(before, 0.99);
}

function zoneText(records: number): string {
  const lines = ["$TTL 600", "@ SOA ns.example. admin.example. 1 2h 1h 2w 5m"];
  for (let n = 2; n < records; n++) lines.push(lineOf(n));
  return `${lines.join("\n")}\n`;
}

function lineOf(n: number): string {
  const kind = n % 10;
  if (kind < 6) return `host${n} A 10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  if (kind < 8) return `host${n - 6} AAAA 2001:db8::${(n & 0xffff).toString(16)}:1`;
  return kind === 8 ? `mx${n} MX 10 mail${n}` : `txt${n} TXT "v=spf1 include:spf${n}.example -all"`;
}

/** Reading and composing alone, without a store. */
async function readAlone(file: Uint8Array, records: number): Promise<number> {
  const head = { account_id: "a".repeat(24), zone_id: "z".repeat(24), now: 0 };
  const options = { zone: "read.example", maxAnswers: 100, grant: grantOf({}), head };
  const began = performance.now();
  const steps = readZoneFile(function* () {
    for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
  }, options);
  while (!(await steps.next()).done);
  return records / ((performance.now() - began) / 1000);
}

/** From the first octet of the upload to the first answer for the last name. */
async function importOnce(running: Service, zone: string, file: Buffer<ArrayBuffer>, records: number) {
  const roles = rolesOf(running);
  const used = () => {
    const { store } = rolesOf(running);
    const times = [cpuTime([...roles.control, ...store, ...roles.edge]), timeOfEnded(store[0]!)];
    return times.reduce((sum, { user, system }) => sum + user + system, 0) * 1e6;
  };
  const cpu = used();
  const began = performance.now();
  const reply = await fetch(`${running.url}/v1/import/zonefile/${zone}`, {
    method: "PUT",
    headers: { "X-SERVICE-Key": running.key },
    body: file,
  });
  if (reply.status !== 200) throw new Error(`the import was refused: ${await reply.text()}`);
  await reply.text();
  while ((await running.ask(`${lineOf(records - 1).split(" ")[0]}.${zone} ANY`)).length === 0);
  const rate = records / ((performance.now() - began) / 1000);
  return { rate, cpu: (used() - cpu) / records };
}

interface Noticed {
  readonly api: readonly number[];
  readonly dns: readonly number[];
  readonly unanswered: number;
}

/** An API client that writes and reads one after the other, and queries at a steady rate. */
async function startOthers(of: Service) {
  const ending = new AbortController();
  const api: number[] = [];
  const dns: number[] = [];
  const open = new Map<number, number>();
  let lost = 0;
  const calling = callAgain(of, ending.signal, api);
  const socket = createSocket({ type: "udp4", recvBufferSize: 4 << 20 });
  socket.connect(of.port, "127.0.0.1");
  await once(socket, "connect");
  const query = Buffer.from(question(labels(`www.${quiet}`), 1));
  socket.on("message", (reply) => {
    const id = reply.readUInt16BE(0);
    const sent = open.get(id);
    if (sent !== undefined) dns.push(performance.now() - sent);
    open.delete(id);
  });
  let id = 0;
  let due = performance.now();
  const timer = setInterval(() => {
    for (const now = performance.now(); due < now; due += 1000 / queriesPerSecond) {
      id = (id + 1) & 0xffff;
      if (open.has(id)) lost++;
      open.set(id, performance.now());
      query.writeUInt16BE(id, 0);
      socket.send(Buffer.from(query));
    }
  }, 1);
  const sorted = (times: number[]) => times.splice(0).sort((a, b) => a - b);
  return {
    take(): Noticed {
      const unanswered = lost;
      lost = 0;
      return { api: sorted(api), dns: sorted(dns), unanswered };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      socket.close();
      ending.abort();
      await calling;
    },
  };
}

async function callAgain(of: Service, signal: AbortSignal, times: number[]): Promise<void> {
  const { call, close } = await apiClient(of);
  for (let n = 0; !signal.aborted; n++) {
    const sent = performance.now();
    const path = `zones/${quiet}/www.${quiet}/A`;
    const body = { answers: [{ answer: [`192.0.2.${n & 255}`] }] };
    await call(n % 2 === 0 ? { method: "POST", path, body } : { method: "GET", path });
    times.push(performance.now() - sent);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  close();
}
