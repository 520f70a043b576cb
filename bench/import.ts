/** A zone file from its upload to the answers, and what others notice of it meanwhile. node bench/import.ts [records] */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { grantOf } from "../src/control/access/permit.ts";
import { readZoneFile } from "../src/control/zonefiles/read.ts";
import { question } from "../test/dns/message.ts";
import { labels } from "../test/dns/names.ts";
import { type Service, service } from "../test/kit.ts";
import { cpuTime } from "../test/proc.ts";
import { rolesOf } from "../test/roles.ts";
import { apiClient } from "./client.ts";
import { delayColumns, percentile, printTable } from "./measure.ts";

const records = Number(process.argv[2] ?? 1_000_000);
const queriesPerSecond = 5000;
const beforeFor = 5000;
const zone = "big.example";
const quiet = "quiet.example";

const file = Buffer.from(zoneText());
process.stdout.write(`${records} records, ${(file.length / 2 ** 20).toFixed(1)} MB\n`);
await readAlone();

await using running = await service({ flags: ["--rate-limit", "100000000/1"] });
await running.zone(quiet);
await running.put(quiet, `www.${quiet} A`, ["192.0.2.1"]);

const idle = await importOnce("idle.example");
await using others = await startOthers(running);
await new Promise((resolve) => setTimeout(resolve, beforeFor));
const before = others.take();
const loaded = await importOnce(zone);
const during = others.take();

printTable(
  ["import", "seconds", "records/s", "control us", "store us", "edge us", "of 50,000/s"],
  [
    ["alone", ...idle],
    [`${queriesPerSecond} queries/s and an API client`, ...loaded],
  ],
);
process.stdout.write("\n");
const p99 = (times: readonly number[]) => percentile(times, 0.99);
printTable(
  ["others, ms", "p50", "p99", "most", "of before"],
  [
    ["API before", ...delayColumns(before.api, p99(before.api))],
    ["API during", ...delayColumns(during.api, p99(before.api))],
    ["DNS before", ...delayColumns(before.dns, p99(before.dns))],
    ["DNS during", ...delayColumns(during.dns, p99(before.dns))],
  ],
);
process.stdout.write(`\nqueries without an answer: ${before.unanswered} before, ${during.unanswered} during\n`);

function zoneText(): string {
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
async function readAlone(): Promise<void> {
  const head = { account_id: "a".repeat(24), zone_id: "z".repeat(24), now: 0 };
  const options = { zone, maxAnswers: 100, grant: grantOf({}), head };
  const began = performance.now();
  const steps = readZoneFile(function* () {
    for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
  }, options);
  while (!(await steps.next()).done);
  const seconds = (performance.now() - began) / 1000;
  process.stdout.write(`read and composed alone: ${Math.round(records / seconds)} records/s\n\n`);
}

/** From the first octet of the upload to the first answer for the last name. */
async function importOnce(name: string): Promise<string[]> {
  const roles = rolesOf(running);
  const used = () =>
    [roles.control, rolesOf(running).store, roles.edge].map((pids) => {
      const { user, system } = cpuTime(pids);
      return (user + system) * 1e6;
    });
  const cpu = used();
  const began = performance.now();
  const reply = await fetch(`${running.url}/v1/import/zonefile/${name}`, {
    method: "PUT",
    headers: { "X-SERVICE-Key": running.key },
    body: file,
  });
  if (reply.status !== 200) throw new Error(`the import was refused: ${await reply.text()}`);
  await reply.text();
  while ((await running.ask(`${lineOf(records - 1).split(" ")[0]}.${name} ANY`)).length === 0);
  const seconds = (performance.now() - began) / 1000;
  const rate = records / seconds;
  const after = used();
  const each = after.map((microseconds, role) => ((microseconds - cpu[role]!) / records).toFixed(1));
  return [seconds.toFixed(1), rate.toFixed(0), ...each, `${(rate / 50_000).toFixed(2)} x`];
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
  const socket = createSocket("udp4");
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
