/** A chain of four filters in one process without sockets: user time of an answer, compared with a static answer. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ImageReader } from "../src/answer/image/reader.ts";
import type { ImageRecord } from "../src/answer/image/rrset/source.ts";
import { ImageWriter } from "../src/answer/image/writer/writer.ts";
import { LiveReader } from "../src/answer/live/reader.ts";
import { LiveTable } from "../src/answer/live/table.ts";
import { TypeCode } from "../src/dns/wire/constants.ts";
import { nameFromApi } from "../src/dns/wire/name.ts";
import { createServe } from "../src/edge/serve/serve.ts";
import { makeCounts } from "../src/edge/workers/counters.ts";
import { steeringOptions } from "../src/edge/workers/steering.ts";
import { loadGeo } from "../src/geo/files/load.ts";
import { seededRandom } from "../test/machine/random.ts";
import { bench } from "./kit/bench.ts";
import type { Row } from "./kit/rows.ts";
import { host, zone } from "./kit/zone.ts";

const client = { family: 4, address: Uint8Array.of(192, 0, 2, 1), port: 53 } as const;
const records = 1000;
const distinct = 4096;
const batch = 64;
const countries = ["US", "DE", "JP", "BR"];

/** Each answer has a country, its own feed for `up`, and a weight. */
const filters = [
  { filter: "geofence_country", config: { remove_no_location: true } },
  { filter: "up", config: {} },
  { filter: "weighted_shuffle", config: {} },
  { filter: "select_first_n", config: { N: 1 } },
];

function record(i: number, steered: boolean): ImageRecord {
  const answers = Array.from({ length: 8 }, (_, n) => ({
    answer: [`10.${n}.${i >>> 8}.${i & 255}`],
    meta: { country: [countries[n % 4]], weight: n + 1, up: { feed: `feed${n}` } },
  }));
  return {
    zone_id: zone.id,
    domain: host(i),
    type: "A",
    ttl: 60,
    answers: steered ? answers : answers.slice(0, 1),
    filters: steered ? filters : [],
    override_ttl: false,
    override_address_records: false,
  };
}

/** A query with one of 40,000 client subnets of 24 bits, or without one. */
function query(i: number, network: number | undefined): Uint8Array {
  const header = [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1];
  const ecs = network === undefined ? [] : [0, 8, 0, 7, 0, 1, 24, 0, 20 + (network >>> 8), network & 255, 7];
  const opt = [0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, ecs.length, ...ecs];
  return Uint8Array.from([...header, ...nameFromApi(host(i)), 0, TypeCode.A, 0, 1, ...opt]);
}

function feeds(): LiveReader {
  const table = new LiveTable();
  const now = Date.now();
  const states = Array.from({ length: 8 }, (_, n) => ({ feed_id: `feed${n}`, data: { up: n !== 5 } }));
  table.put(states.map((state) => ({ ...state, at: now, max_age: null, fallback: null })));
  const live = new LiveReader(table.share());
  live.now = now;
  return live;
}

async function geo() {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  const path = join(directory, "countries.csv");
  const rows = Array.from({ length: 40_000 }, (_, n) => {
    const prefix = `${20 + (n >>> 8)}.${n & 255}`;
    return `${prefix}.0.0,${prefix}.255.255,${countries[(n * 7) % 4]}`;
  });
  writeFileSync(path, rows.slice(0, 200 * 256 - 1).join("\n"));
  try {
    return await loadGeo([path]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function load(steered: boolean): ImageReader {
  const writer = ImageWriter.create();
  writer.putZone(zone, 1);
  for (let i = 0; i < records; i++) writer.putRecord(record(i, steered));
  writer.commit();
  return new ImageReader(writer.share(), 0);
}

const options = steeringOptions(feeds(), await geo(), makeCounts());

/** Nanoseconds of user time for one answer. */
function measure(reader: ImageReader, networks: number, rounds: number): number {
  const serve = createServe(reader, options);
  const random = seededRandom(1);
  const pick = (most: number) => Math.floor(random() * most);
  const queries = Array.from({ length: distinct }, () =>
    query(pick(records), networks > 0 ? pick(networks) : undefined),
  );
  const out = new Uint8Array(4096);
  const run = (count: number) => {
    for (let i = 0; i < count; i += batch) {
      reader.enter();
      for (let j = 0; j < batch; j++) {
        const octets = queries[(i + j) % distinct]!;
        if (serve(octets, 0, octets.length, client, "udp", out, 0, out.length) === 0) throw new Error("no answer");
      }
      reader.leave();
    }
  };
  run(rounds / 4);
  const before = process.cpuUsage();
  run(rounds);
  return Math.round((process.cpuUsage(before).user * 1000) / rounds);
}

await bench(async (scale): Promise<Row[]> => {
  const rounds = scale(2_000_000, 20_000);
  const fixed = load(false);
  const steered = load(true);
  const row = (measured: string, reader: ImageReader, networks: number): Row => ({
    ...{ name: "chain", measure: `${measured}: user time`, unit: "ns", ours: measure(reader, networks, rounds) },
    ...{ peers: {}, target: "" },
  });
  return [
    row("static", fixed, 0),
    row("static, with a client subnet", fixed, 40_000),
    row("chain of 4", steered, 0),
    row("chain of 4, one client subnet", steered, 1),
    row("chain of 4, 1,000 client subnets", steered, 1000),
    row("chain of 4, 40,000 client subnets", steered, 40_000),
  ];
});
