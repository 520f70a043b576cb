/** The import of a zone file, from its upload to the answers, and its effect on other queries and API calls. */
import { openAsBlob, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { grantOf } from "../src/control/access/permit.ts";
import { readZoneFile } from "../src/control/zonefiles/reading/read.ts";
import { cpuTime, timeOfEnded } from "../test/machine/proc.ts";
import type { Service } from "../test/service/kit.ts";
import { rolesOf } from "../test/service/roles.ts";
import { askerOf } from "./kit/asker.ts";
import { bench } from "./kit/bench.ts";
import { apiClient } from "./kit/client.ts";
import { temporary } from "./kit/files.ts";
import { askTimed, questionsIn } from "./kit/load.ts";
import { percentile } from "./kit/measure.ts";
import { atLeast, atMost, type Row } from "./kit/rows.ts";
import { unlimitedService } from "./kit/served.ts";

const name = "import";
const queriesPerSecond = 5000;
const quiet = "quiet.example";
/** The expected records a second, stored and answered. `zonefile.ts` has the targets of the parser. */
const least = 50_000;
/** The highest ratio of answer times during an import to those before. */
const slower = 2;
/** Milliseconds between two queries for the new zone. */
const askEvery = 20;

await bench((scale) =>
  temporary(async (directory): Promise<Row[]> => {
    const records = scale(1_000_000, 10_000);
    const file = `${directory}/zone`;
    writeFileSync(file, zoneText(records));
    const read = await readAlone(await openAsBlob(file), records);
    await using running = await unlimitedService();
    await running.zone(quiet);
    await running.put(quiet, `www.${quiet} A`, ["192.0.2.1"]);
    const alone = await importOnce(running, "idle.example", file, records);
    const questions = questionsIn(`${directory}/questions`, [`www.${quiet} A`]);
    const seconds = scale(5);
    const before = await sampleUntil(running, questions, seconds, delay(seconds * 2000));
    const importing = importOnce(running, "big.example", file, records);
    const during = await sampleUntil(running, questions, seconds, importing);
    const loaded = await importing;
    const [api, dns] = [ratioOf(before.api, during.api), ratioOf(before.dns, during.dns)];
    const row = { name, peers: {}, target: "" };
    return [
      { ...row, measure: "read and composed alone", unit: "/s", ours: read },
      {
        ...{ ...row, measure: `${records} records stored and answered`, unit: "/s", ours: alone.rate },
        ...atLeast(alone.rate, least, "/s"),
      },
      { ...row, measure: "CPU time of API, store and edge", unit: "us a record", ours: alone.cpu },
      { ...row, measure: `beside ${queriesPerSecond} queries/s and an API client`, unit: "/s", ours: loaded.rate },
      {
        ...{ ...row, measure: "queries meanwhile without an answer", unit: "", ours: during.unanswered },
        ...atMost(during.unanswered, 0, ""),
      },
      { ...row, measure: "p99 of answers before", unit: "ms", ours: percentile(before.dns, 0.99) },
      { ...row, measure: "p99 of answers meanwhile by that", unit: "x", ours: dns, ...atMost(dns, slower, "x") },
      { ...row, measure: "p99 of API calls before", unit: "ms", ours: percentile(before.api, 0.99) },
      { ...row, measure: "p99 of API calls meanwhile by that", unit: "x", ours: api },
    ];
  }),
);

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
async function readAlone(file: Blob, records: number): Promise<number> {
  const head = { account_id: "a".repeat(24), zone_id: "z".repeat(24), now: 0 };
  const options = { zone: "read.example", mostAnswers: 100, access: [grantOf({})], head };
  const octets = await file.bytes();
  const began = performance.now();
  const steps = readZoneFile(function* () {
    for (let at = 0; at < octets.length; at += 65_536) yield octets.subarray(at, at + 65_536);
  }, options);
  while (!(await steps.next()).done);
  return records / ((performance.now() - began) / 1000);
}

/** Measures from the first octet of the upload to the first answer for a name of the zone. */
async function importOnce(running: Service, zone: string, file: string, records: number) {
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
    body: await openAsBlob(file),
  });
  if (reply.status !== 200) throw new Error(`the import was refused: ${await reply.text()}`);
  await reply.text();
  const asker = await askerOf(running.port, `host10.${zone}`, askEvery);
  await asker.until("10.0.0.10");
  asker.close();
  const rate = records / ((performance.now() - began) / 1000);
  return { rate, cpu: (used() - cpu) / records };
}

interface Samples {
  /** Milliseconds, sorted. */
  readonly api: readonly number[];
  readonly dns: readonly number[];
  readonly unanswered: number;
}

/** Measures calls of an API client and queries at a steady rate until `happens` settles, in runs of `seconds`. */
async function sampleUntil(
  running: Service,
  questions: string,
  seconds: number,
  happens: Promise<unknown>,
): Promise<Samples> {
  const ending = new AbortController();
  void happens.finally(() => ending.abort()).catch(() => {});
  const calling = callUntil(running, ending.signal);
  const dns: number[] = [];
  let unanswered = 0;
  while (!ending.signal.aborted) {
    const { lost, times } = await askTimed(running.port, {
      questions,
      seconds,
      rate: queriesPerSecond,
      isRemote: true,
    });
    for (const time of times) dns.push(time);
    unanswered += lost;
  }
  const sorted = (times: number[]) => times.sort((a, b) => a - b);
  return { api: sorted(await calling), dns: sorted(dns), unanswered };
}

/** Milliseconds of calls that write and read alternately. */
async function callUntil(running: Service, signal: AbortSignal): Promise<number[]> {
  const { call, close } = await apiClient(running);
  const times: number[] = [];
  for (let n = 0; !signal.aborted; n++) {
    const sent = performance.now();
    const path = `zones/${quiet}/www.${quiet}/A`;
    const body = { answers: [{ answer: [`192.0.2.${n & 255}`] }] };
    await call(n % 2 === 0 ? { method: "POST", path, body } : { method: "GET", path });
    times.push(performance.now() - sent);
    await delay(20);
  }
  close();
  return times;
}
