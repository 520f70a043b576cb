/** The engine alone, in one process without sockets: time of an answer and memory of a record, at growing zones. */
import { Foresight } from "../src/answer/foresight.ts";
import { ImageReader } from "../src/answer/image/reader.ts";
import type { ImageRecord } from "../src/answer/image/source.ts";
import { ImageWriter } from "../src/answer/image/writer.ts";
import { TypeCode } from "../src/dns/constants.ts";
import { headerOctets } from "../src/dns/message.ts";
import { nameFromApi } from "../src/dns/name.ts";
import { createServe } from "../src/edge/serve.ts";
import { seededRandom } from "../src/lib/random.ts";
import { sharedMemory } from "../src/net/pages.ts";
import { apex, host, zone } from "./zone.ts";

const client = { family: 4, address: new Uint8Array(4), port: 53 } as const;
const distinct = 4096;
const batch = 64;
/** Octets from one query to the next. */
const stride = 64;

const record = (domain: string, type: string, answer: readonly unknown[]): ImageRecord => ({
  zone_id: zone.id,
  domain,
  type,
  ttl: 300,
  answers: [{ answer }],
  override_ttl: false,
  override_address_records: false,
});

const address = (i: number) => `10.${(i >>> 16) & 255}.${(i >>> 8) & 255}.${i & 255}`;

function query(name: string, type: number): Uint8Array {
  const header = [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1];
  const opt = [0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0];
  return Uint8Array.from([...header, ...nameFromApi(name), type >>> 8, type & 255, 0, 1, ...opt]);
}

function load(count: number): ImageWriter {
  const writer = ImageWriter.create({ makeMemory: sharedMemory });
  writer.putZone(zone, 1);
  writer.putRecord(record(apex, "NS", [`ns1.${apex}.`]));
  writer.putRecord(record(`www.${apex}`, "CNAME", [`${host(0)}.`]));
  for (let i = 0; i < count; i++) writer.putRecord(record(host(i), "A", [address(i)]));
  writer.commit();
  return writer;
}

/** Another image: a zone that delegates has its names walked from the apex down. */
function loadCuts(count: number): ImageWriter {
  const writer = ImageWriter.create({ makeMemory: sharedMemory });
  writer.putZone(zone, 1);
  for (let i = 0; i < count; i++) {
    const servers = [`ns1.${host(i)}`, `ns2.${host(i)}`];
    writer.putRecord({ ...record(host(i), "NS", []), answers: servers.map((name) => ({ answer: [`${name}.`] })) });
    for (const server of servers) writer.putRecord(record(server, "A", [address(i)]));
  }
  writer.commit();
  return writer;
}

/** Nanoseconds of user time for one answer; queries are drawn at random, so that caches miss as they do in service. */
function measure(writer: ImageWriter, name: (random: number) => string, type: number, rounds: number): number {
  const reader = new ImageReader(writer.share(), 0);
  const foresight = new Foresight(reader);
  const serve = createServe(reader, { foresight });
  const random = seededRandom(1);
  const queries = new Uint8Array(distinct * stride);
  const ends = Array.from({ length: distinct }, (_, i) => {
    const octets = query(name(random()), type);
    queries.set(octets, i * stride);
    return i * stride + octets.length;
  });
  const out = new Uint8Array(4096);
  const run = (count: number) => {
    for (let i = 0; i < count; i += batch) {
      reader.enter();
      foresight.begin();
      const first = i % distinct;
      for (let j = first; j < first + batch; j++) foresight.add(queries, j * stride + headerOctets, ends[j]!);
      for (let j = first; j < first + batch; j++) {
        const written = serve(queries, j * stride, ends[j]!, client, "udp", out, 0, out.length);
        if (written === 0) throw new Error("no answer");
      }
      reader.leave();
    }
  };
  run(rounds / 4);
  const before = process.cpuUsage();
  run(rounds);
  const { user } = process.cpuUsage(before);
  return Math.round((user * 1000) / rounds);
}

for (const count of [1_000, 100_000, 1_000_000]) {
  const start = performance.now();
  const writer = load(count);
  const loaded = Math.round(count / ((performance.now() - start) / 1000));
  const rounds = 4_000_000;
  const existing = (random: number) => host(Math.floor(random * count));
  console.log(
    JSON.stringify({
      records: count,
      records_loaded_a_second: loaded,
      octets_a_record: Math.round(writer.stats().octets / count),
      ns_static_a: measure(writer, existing, TypeCode.A, rounds),
      ns_nodata: measure(writer, existing, TypeCode.TXT, rounds),
      ns_nxdomain: measure(writer, (random) => `x${Math.floor(random * 1e9)}.${apex}`, TypeCode.A, rounds),
      ns_cname: measure(writer, () => `www.${apex}`, TypeCode.A, rounds),
      ns_referral: measure(
        loadCuts(count / 10),
        (random) => `www.${host(Math.floor((random * count) / 10))}`,
        TypeCode.A,
        rounds,
      ),
    }),
  );
}
