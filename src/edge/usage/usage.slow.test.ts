/** The counts of queries; none is lost or counted twice while the tables are read. */
import { describe, expect, test, vi } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { seededRandom } from "../../../test/machine/random.ts";
import { zoneOf } from "../../../test/scenarios/image.ts";
import { silent } from "../../../test/store/store.ts";
import { ImageReader } from "../../answer/image/reader.ts";
import type { ImageRecord } from "../../answer/image/rrset/source.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import { composeQuery } from "../../dns/reply.ts";
import { TypeCode } from "../../dns/wire/constants.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { sharedMemory } from "../../net/socket/pages.ts";
import type { UsageReport, UsageRow } from "../../sync/usage.ts";
import type { Transport } from "../serve/options.ts";
import { createServe } from "../serve/serve.ts";
import { ImageUsage } from "./image-usage.ts";
import { UsageReader } from "./reader.ts";
import { makeUsage } from "./table.ts";
import { EdgeUsage } from "./usage.ts";
import { UsageWriter } from "./writer.ts";

const client = { family: 4, address: new Uint8Array(4), port: 53 } as const;

const record = (domain: string, type: string, ...parts: unknown[]): ImageRecord => ({
  zone_id: "zone",
  domain,
  type,
  ttl: 300,
  answers: [{ answer: parts }],
  override_ttl: false,
  override_address_records: false,
});

/** A small zone, and `others` more zones with one record each. */
function imageOf(hosts: number, others: number): ImageWriter {
  const writer = ImageWriter.create({ seed: [0x9e3779b1, 0x85ebca6b], makeMemory: sharedMemory });
  const put = (zone: string) => writer.putZone({ ...zoneOf(zone), id: zone === "a.example" ? "zone" : zone }, 1);
  put("a.example");
  for (let n = 0; n < hosts; n++) writer.putRecord(record(`h${n}.a.example`, "A", "192.0.2.1"));
  writer.putRecord(record("*.w.a.example", "A", "192.0.2.1"));
  writer.putRecord(record("c.a.example", "CNAME", "h0.a.example."));
  writer.putRecord(record("cut.a.example", "NS", "ns.else.example."));
  for (let n = 0; n < others; n++) {
    put(`z${n}.example`);
    writer.putRecord({ ...record(`z${n}.example`, "A", "192.0.2.1"), zone_id: `z${n}.example` });
  }
  writer.commit();
  return writer;
}

interface WorkerOptions {
  readonly hosts?: number;
  readonly others?: number;
  readonly seed?: number;
  readonly slots?: number;
}

/** A worker that answers from an image, and its counts. */
function worker({ hosts = 1, others = 0, seed = 1, slots = 512 }: WorkerOptions = {}) {
  const writer = imageOf(hosts, others);
  const image = new ImageReader(writer.share(), 0);
  const share = makeUsage(slots);
  const usage = new UsageWriter(share, seededRandom(seed));
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const reader = new UsageReader(share, progress);
  const counts = new ImageUsage(writer, [reader]);
  let zone = 0;
  const serve = createServe(image, {
    count(found, name) {
      if (found.state === "refused") return;
      zone = image.numberOf(found.entry);
      usage.count(zone, found, name);
    },
  });
  const out = new Uint8Array(4096);
  const begin = () => {
    Atomics.add(progress, 0, 1);
    usage.begin();
    image.enter();
  };
  const ask = (name: string, type: keyof typeof TypeCode = "A", transport: Transport = "udp") => {
    const query = composeQuery(nameFromApi(name), TypeCode[type], 1232);
    if (serve(query, 0, query.length, client, "udp", out, 0, out.length) === 0) throw new Error("no answer");
    usage.answered(zone, TypeCode[type], out[3]! & 0x0f, transport);
  };
  const end = () => {
    image.leave();
    Atomics.add(progress, 0, 1);
  };
  /** The rows of the queries since the last call. */
  const reported = (most = Number.POSITIVE_INFINITY) => {
    counts.swap();
    expect(counts.hasPassed()).toBe(true);
    expect(counts.read().lost).toBe(0);
    return counts.rows(most);
  };
  return { begin, ask, end, reported, reader, writer, counts };
}

const sum = (rows: readonly UsageRow[]) => rows.reduce((sum, { queries }) => sum + queries, 0);
const ofRecords = (rows: readonly UsageRow[]) => rows.filter(({ domain }) => domain !== "");
const row = (domain: string, type: string, queries: number): UsageRow => ({ zone: "a.example", domain, type, queries });

describe("what a query is counted for", () => {
  const cases: [name: string, type: keyof typeof TypeCode, counted: UsageRow[]][] = [
    ["H0.a.Example", "A", [row("h0.a.example", "A", 1)]],
    ["x.y.w.a.example", "A", [row("*.w.a.example", "A", 1)]],
    ["c.a.example", "A", [row("c.a.example", "CNAME", 1)]],
    ["x.y.cut.a.example", "A", [row("cut.a.example", "NS", 1)]],
    ["h0.a.example", "AAAA", [row("", "", 1)]],
    ["none.a.example", "A", [row("", "", 1)]],
    ["other.example", "A", []],
  ];
  for (const [name, type, counted] of cases) {
    test(`${name} ${type}: ${counted.map(({ domain, type }) => `${domain} ${type}`.trim() || "its zone")[0] ?? "nothing"}`, () => {
      const { begin, ask, end, reported } = worker();
      begin();
      ask(name, type);
      end();
      expect(reported()).toEqual(counted);
      expect(reported()).toEqual([]);
    });
  }
});

test("a running batch fills the table that it began with, and that table is read after the batch", () => {
  const { begin, ask, end, counts } = worker();
  begin();
  ask("h0.a.example");
  counts.swap();
  expect(counts.hasPassed()).toBe(false);
  ask("h0.a.example");
  end();
  begin();
  ask("h0.a.example");
  expect(counts.hasPassed()).toBe(true);
  counts.read();
  expect(counts.rows(1)).toEqual([row("h0.a.example", "A", 2)]);
  end();
  counts.swap();
  counts.read();
  expect(counts.rows(1)).toEqual([row("h0.a.example", "A", 1)]);
});

test("a replaced record is counted together with its successor", () => {
  const { begin, ask, end, reported, writer } = worker();
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
    writer.putRecord(record("h0.a.example", "A", address));
    writer.commit();
    begin();
    ask("h0.a.example");
    end();
  }
  expect(reported()).toEqual([row("h0.a.example", "A", 3)]);
});

describe("more records than a table has room for", () => {
  const hosts = 1000;
  const rounds = 10;
  /** The queries for host `n` in each round. */
  const askedOf = (n: number) => (n % 10) + 1;
  const askedInAll = 5500;

  /** The reported queries of each host, when they are asked in random order. */
  function round(seed: number): number[] {
    const random = seededRandom(seed);
    const questions = Array.from({ length: hosts }, (_, n) => new Array<number>(askedOf(n)).fill(n)).flat();
    const order = questions.map((n) => ({ n, at: random() })).sort((a, b) => a.at - b.at);
    const { begin, ask, end, reported } = worker({ hosts, seed });
    begin();
    for (const { n } of order) ask(`h${n}.a.example`);
    ask("none.a.example");
    end();
    const rows = reported();
    expect(sum(rows)).toBe(askedInAll + 1);
    expect(ofRecords(rows).length).toBeLessThanOrEqual(384);
    const queries = new Map(ofRecords(rows).map(({ domain, queries }) => [domain, queries]));
    return Array.from({ length: hosts }, (_, n) => queries.get(`h${n}.a.example`) ?? 0);
  }

  test("a sample is exact on average for each record; the count of the zone is exact", () => {
    const reported = Array.from({ length: rounds }, (_, n) => round(n + 1));
    const meanOf = (isChosen: (host: number) => boolean) => {
      const chosen = reported.flatMap((round) => round.filter((_, host) => isChosen(host)));
      return chosen.reduce((sum, queries) => sum + queries, 0) / chosen.length;
    };
    expect(meanOf(() => true)).toBeCloseTo(5.5, 0);
    for (const asked of [1, 2, 5, 10]) {
      const mean = meanOf((host) => askedOf(host) === asked);
      expect(Math.abs(mean / asked - 1)).toBeLessThan(0.15);
    }
    // no part of a round is underrepresented
    for (const half of [0, 1]) expect(meanOf((host) => host % 2 === half)).toBeCloseTo(5 + half, 0);
  });

  test("the counts of the busiest records are nearly exact, even among many names that are asked once", () => {
    const { begin, ask, end, reported } = worker({ hosts });
    begin();
    for (let n = 0; n < 4 * hosts; n++) {
      ask("c.a.example");
      ask(`h${n % hosts}.a.example`);
    }
    end();
    const rows = reported();
    const { queries = 0 } = rows.find(({ domain }) => domain === "c.a.example") ?? {};
    expect(Math.abs(queries / (4 * hosts) - 1)).toBeLessThan(0.1);
    expect(sum(rows)).toBe(8 * hosts);
  });

  test("the next report is exact again if it has few records", () => {
    const { begin, ask, end, reported } = worker({ hosts });
    begin();
    for (let n = 0; n < hosts; n++) ask(`h${n}.a.example`);
    end();
    reported();
    begin();
    for (let n = 0; n < 300; n++) ask(`h${n}.a.example`);
    end();
    expect(reported().map(({ queries }) => queries)).toEqual(new Array(300).fill(1));
  });
});

test("missing names take no room, however many", () => {
  const { begin, ask, end, reported } = worker();
  begin();
  for (let n = 0; n < 20_000; n++) ask(`x${n}.a.example`);
  ask("h0.a.example");
  end();
  expect(reported()).toEqual([row("h0.a.example", "A", 1), row("", "", 20_000)]);
});

describe("kinds of queries", () => {
  const kind = (type: string, rcode: string, transport: string, queries: number) => ({
    ...{ zone: "a.example", type, rcode, transport },
    queries,
  });

  test("are counted by type, RCODE and transport", () => {
    const { begin, ask, end, reported, counts } = worker();
    begin();
    ask("h0.a.example");
    ask("h0.a.example");
    ask("h0.a.example", "A", "tls");
    ask("h0.a.example", "AAAA");
    ask("none.a.example", "MX", "https");
    ask("h0.a.example", "HINFO", "tcp");
    end();
    reported();
    expect(counts.mix()).toEqual(
      expect.arrayContaining([
        kind("A", "NOERROR", "udp", 2),
        kind("A", "NOERROR", "tls", 1),
        kind("AAAA", "NOERROR", "udp", 1),
        kind("MX", "NXDOMAIN", "https", 1),
        kind("other", "NOERROR", "tcp", 1),
      ]),
    );
    expect(counts.mix()).toEqual([]);
  });

  test("are estimates when they are many, and exact again in the next report", () => {
    const { begin, ask, end, reported, counts } = worker();
    begin();
    for (let n = 0; n < 30_000; n++) ask(n % 3 === 0 ? "none.a.example" : "h0.a.example");
    end();
    reported();
    const rows = counts.mix();
    expect(rows.map(({ rcode }) => rcode).sort()).toEqual(["NOERROR", "NXDOMAIN"]);
    for (const { rcode, queries } of rows) {
      expect(Math.abs(queries / (rcode === "NOERROR" ? 20_000 : 10_000) - 1)).toBeLessThan(0.1);
    }
    begin();
    ask("h0.a.example");
    end();
    reported();
    expect(counts.mix()).toEqual([kind("A", "NOERROR", "udp", 1)]);
  });

  test("of more zones than there is room for are exact on average", () => {
    const others = 4000;
    const { begin, ask, end, reported, counts } = worker({ others });
    begin();
    for (let n = 0; n < others; n++) ask(`z${n}.example`);
    end();
    reported();
    const rows = counts.mix();
    expect(rows.length).toBeLessThanOrEqual(3072);
    expect(Math.abs(rows.reduce((sum, { queries }) => sum + queries, 0) / others - 1)).toBeLessThan(0.1);
  });
});

describe("names that do not exist", () => {
  test("are reported if they are asked for more than once, the most asked first", () => {
    const { begin, ask, end, reported, counts } = worker();
    begin();
    for (let n = 0; n < 20; n++) ask("often.a.example");
    for (let n = 0; n < 3; n++) ask("Three.x.a.example");
    ask("once.a.example");
    end();
    reported();
    expect(counts.missing()).toEqual([
      { zone: "a.example", domain: "often.a.example", queries: 20 },
      { zone: "a.example", domain: "three.x.a.example", queries: 3 },
    ]);
    expect(counts.missing()).toEqual([]);
  });

  test("that a stranger makes up leave the names of other zones their room", () => {
    const { begin, ask, end, reported, counts } = worker({ others: 1 });
    begin();
    for (let n = 0; n < 20_000; n++) {
      ask(`x${n % 10_000}.a.example`);
      if (n % 10 === 0) ask("typo.z0.example");
    }
    end();
    reported();
    const rows = counts.missing();
    expect(rows.length).toBeLessThanOrEqual(21);
    const { queries = 0 } = rows.find(({ zone }) => zone === "z0.example") ?? {};
    expect(Math.abs(queries / 2000 - 1)).toBeLessThan(0.2);
  });
});

describe("many zones", () => {
  const others = 40;
  const asked = (rows: readonly UsageRow[]) => {
    const zones = new Map<string, number>();
    for (const { zone, queries } of rows) zones.set(zone, (zones.get(zone) ?? 0) + queries);
    return zones;
  };

  test("are counted exactly, some in the first report and the others in the next reports", () => {
    const { begin, ask, end, reported } = worker({ others });
    begin();
    for (let n = 0; n < others; n++) for (let k = 0; k <= n; k++) ask(`none.z${n}.example`);
    end();
    const reports = [reported(15), reported(15), reported(15)];
    expect(reports.map(({ length }) => length)).toEqual([15, 15, 10]);
    expect([...asked(reports.flat()).values()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: others }, (_, n) => n + 1),
    );
  });

  test("are ranked by their queries", () => {
    const { begin, ask, end, counts } = worker({ others });
    begin();
    for (let n = 0; n < others; n++) for (let k = 0; k <= n; k++) ask(`z${n}.example`);
    end();
    counts.swap();
    const { busiest } = counts.read();
    expect(busiest.map(({ queries }) => queries)).toEqual(Array.from({ length: 20 }, (_, n) => 40 - n));
    expect(busiest[0]!.zone).toBe("z39.example");
  });
});

test("the queries of a removed zone are not reported, nor added to the zone that reuses its number", () => {
  const { begin, ask, end, reported, writer } = worker({ others: 40 });
  begin();
  ask("z3.example");
  ask("none.z3.example");
  ask("z4.example");
  end();
  writer.removeZone("z3.example");
  writer.putZone(zoneOf("new.example"), 1);
  writer.commit();
  expect(reported()).toEqual([{ zone: "z4.example", domain: "z4.example", type: "A", queries: 1 }]);
});

describe("reports", () => {
  test("are repeated unchanged and in order until the store has them; the last one is sent at the end", async () => {
    vi.useFakeTimers();
    const { begin, ask, end, reader, writer } = worker();
    const sent: UsageReport[] = [];
    let isUnreachable = true;
    const carrier = {
      async send(report: UsageReport) {
        sent.push(report);
        if (isUnreachable) throw new Error("unreachable");
      },
      close() {},
    };
    const usage = new EdgeUsage({ edge: "e", carrier, reasonOf: String, clock: fakeClock(0), log: silent });
    usage.begin(writer, [reader]);
    const period = async () => {
      begin();
      ask("h0.a.example");
      end();
      await vi.advanceTimersByTimeAsync(10_000);
    };
    await period();
    await period();
    isUnreachable = false;
    await period();
    expect(usage.status()).toEqual({ lost: 0, waiting: 0, zones: [{ zone: "a.example", rate: 0.1 }] });
    expect(sent.map(({ sequence }) => sequence)).toEqual([1, 1, 1, 2, 3]);
    begin();
    ask("none.a.example");
    end();
    await usage.close();
    vi.useRealTimers();
    expect(sent.at(-1)).toMatchObject({ sequence: 4, edge: "e", rows: [row("", "", 1)] });
    expect(new Set(sent.map(({ boot }) => boot)).size).toBe(1);
  });

  test("include the queries answered from the previous image and from the current one", async () => {
    vi.useFakeTimers();
    const [first, second] = [worker(), worker()];
    const sent: UsageReport[] = [];
    const carrier = { send: async (report: UsageReport) => void sent.push(report), close() {} };
    const usage = new EdgeUsage({ edge: "e", carrier, reasonOf: String, clock: fakeClock(0), log: silent });
    usage.begin(first.writer, [first.reader]);
    first.begin();
    first.ask("h0.a.example");
    first.end();
    usage.begin(second.writer, [second.reader]);
    second.begin();
    second.ask("c.a.example");
    second.end();
    await vi.advanceTimersByTimeAsync(20_000);
    await usage.close();
    vi.useRealTimers();
    expect(sent.map(({ rows }) => rows)).toEqual([[row("h0.a.example", "A", 1)], [row("c.a.example", "CNAME", 1)]]);
  });
});
