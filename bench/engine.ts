/** The engine in one process without sockets: time of an answer and memory of a record, in zones of several sizes. */

import { ImageReader } from "../src/answer/image/reader.ts";
import type { ImageWriter } from "../src/answer/image/writer/writer.ts";
import { Prefetch } from "../src/answer/lookup/prefetch.ts";
import type { Count } from "../src/answer/reply/workspace.ts";
import { TypeCode } from "../src/dns/wire/constants.ts";
import { headerOctets } from "../src/dns/wire/message.ts";
import { nameFromApi } from "../src/dns/wire/name.ts";
import { createServe } from "../src/edge/serve/serve.ts";
import { makeUsage } from "../src/edge/usage/table.ts";
import { UsageWriter } from "../src/edge/usage/writer.ts";
import { seededRandom } from "../test/machine/random.ts";
import { bench } from "./kit/bench.ts";
import { median } from "./kit/measure.ts";
import { atMost, type Row } from "./kit/rows.ts";
import { address, apex, type BenchZone, host, hostsZone, imageOf } from "./kit/zone.ts";

const client = { family: 4, address: new Uint8Array(4), port: 53 } as const;
/** Questions, asked in turn: more than fit in a sample of usage counts. */
const distinct = 1 << 18;
const slots = 4096;
const batch = 64;
/** Octets from one query to the next. */
const stride = 64;
/** Turns of the two ways to answer, in the time of one measurement. */
const pairs = 8;

function query(name: string, type: number): Uint8Array {
  const header = [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1];
  const opt = [0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0];
  return Uint8Array.from([...header, ...nameFromApi(name), type >>> 8, type & 255, 0, 1, ...opt]);
}

type Name = (random: number) => string;

/** Answers that many queries. Names are drawn at random, so that CPU caches miss as in real use. */
function asking(writer: ImageWriter, name: Name, type: number, isCounted = false): (queries: number) => void {
  const reader = new ImageReader(writer.share(), 0);
  const prefetch = new Prefetch(reader);
  const usage = new UsageWriter(makeUsage(slots), seededRandom(2));
  let zone = 0;
  const count: Count = (found, name) => {
    zone = reader.numberOf(found.entry);
    usage.count(zone, found, name);
  };
  const serve = createServe(reader, isCounted ? { prefetch, count } : { prefetch });
  const random = seededRandom(1);
  const queries = new Uint8Array(distinct * stride);
  const ends = Array.from({ length: distinct }, (_, i) => {
    const octets = query(name(random()), type);
    queries.set(octets, i * stride);
    return i * stride + octets.length;
  });
  const out = new Uint8Array(4096);
  return (count) => {
    for (let i = 0; i < count; i += batch) {
      reader.enter();
      prefetch.begin();
      const first = i % distinct;
      for (let j = first; j < first + batch; j++) prefetch.add(queries, j * stride + headerOctets, ends[j]!);
      for (let j = first; j < first + batch; j++) {
        const written = serve(queries, j * stride, ends[j]!, client, "udp", out, 0, out.length);
        if (written === 0) throw new Error("no answer");
        if (isCounted) usage.answered(zone, type, out[3]! & 0x0f, "udp");
      }
      reader.leave();
    }
  };
}

/** Nanoseconds of user time for one answer. */
function measure(run: (queries: number) => void, rounds: number): number {
  const before = process.cpuUsage();
  run(rounds);
  const { user } = process.cpuUsage(before);
  return Math.round((user * 1000) / rounds);
}

function warmed(writer: ImageWriter, name: Name, type: number, rounds: number): number {
  const run = asking(writer, name, type);
  run(rounds / 4);
  return measure(run, rounds);
}

/** Costs of answers with usage counts by their costs without. Both run in turn, in code that was compiled for both. */
function counting(writer: ImageWriter, name: Name, type: number, rounds: number): number {
  const [counted, uncounted] = [asking(writer, name, type, true), asking(writer, name, type)];
  const pair = () => measure(counted, rounds / pairs) / measure(uncounted, rounds / pairs);
  pair();
  return median(Array.from({ length: 3 * pairs }, pair));
}

/** A separate image, since look-ups in a zone with delegations walk down from the apex. */
const cutsZone = (count: number): BenchZone => ({
  apex,
  *records() {
    for (let i = 0; i < count; i++) {
      const servers = [`ns1.${host(i)}`, `ns2.${host(i)}`];
      yield { domain: host(i), type: "NS", answers: servers.map((name) => `${name}.`) };
      for (const domain of servers) yield { domain, type: "A", answers: [address(i)] };
    }
  },
});

const kinds = (count: number) => [
  { what: "static", name: (random: number) => host(Math.floor(random * count)), type: TypeCode.A },
  { what: "NODATA", name: (random: number) => host(Math.floor(random * count)), type: TypeCode.TXT },
  { what: "NXDOMAIN", name: (random: number) => `x${Math.floor(random * 1e9)}.${apex}`, type: TypeCode.A },
];
/** The highest ratio of an answer's cost with usage counts to its cost without. */
const mostCounting = 1.05;

await bench(async (scale): Promise<Row[]> => {
  const rounds = scale(2_000_000, 100_000);
  const rows: Row[] = [];
  const row = (measure: string, unit: string, ours: number) => ({
    name: "engine",
    measure,
    unit,
    ours,
    peers: {},
    target: "",
  });
  for (const count of [1000, 100_000, scale(1_000_000, 10_000)]) {
    const began = performance.now();
    const image = imageOf([hostsZone(count)]);
    const loaded = count / ((performance.now() - began) / 1000);
    for (const { what, name, type } of kinds(count)) {
      rows.push(row(`${count} records: ${what}, user time`, "ns", warmed(image, name, type, rounds)));
    }
    const { name, type } = kinds(count)[0]!;
    const cuts = imageOf([cutsZone(count / 10)]);
    const cut = (random: number) => `www.${host(Math.floor((random * count) / 10))}`;
    rows.push(row(`${count / 10} delegations: referral, user time`, "ns", warmed(cuts, cut, TypeCode.A, rounds)));
    const ratio = counting(image, name, type, rounds);
    rows.push(
      { ...row(`${count} records: counted by not counted`, "x", ratio), ...atMost(ratio, mostCounting, "x") },
      row(`${count} records: taken into an image`, "/s", loaded),
      row(`${count} records: memory of one`, "octets", image.stats().octets / count),
    );
  }
  return rows;
});
