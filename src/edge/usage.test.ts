/** What queries count for, and that nothing is lost or counted twice while the tables are read. */
import { describe, expect, test, vi } from "vitest";
import { silent } from "../../test/store.ts";
import { ImageReader } from "../answer/image/reader.ts";
import type { ImageRecord } from "../answer/image/source.ts";
import { ImageWriter } from "../answer/image/writer.ts";
import { TypeCode } from "../dns/constants.ts";
import { nameFromApi } from "../dns/name.ts";
import { composeQuestion } from "../dns/reply.ts";
import { fakeClock } from "../lib/clock.ts";
import { sharedMemory } from "../net/pages.ts";
import type { UsageReport, UsageRow } from "../sync/usage.ts";
import { createServe } from "./serve.ts";
import { EdgeUsage } from "./usage.ts";
import { makeUsage, UsageReader, UsageWriter } from "./usage-table.ts";

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

/** A worker with a small zone, and the reader of its counts. */
function worker(hosts = 1) {
  const writer = ImageWriter.create({ makeMemory: sharedMemory });
  const common = { ttl: 3600, refresh: 43200, retry: 7200, expiry: 1209600, nx_ttl: 3600, disabled: false };
  const names = { hostmaster: "hostmaster@a.example", primary_master: "ns1.a.example" };
  writer.putZone({ id: "zone", zone: "a.example", view: "", ...common, ...names }, 1);
  for (let n = 0; n < hosts; n++) writer.putRecord(record(`h${n}.a.example`, "A", "192.0.2.1"));
  writer.putRecord(record("*.w.a.example", "A", "192.0.2.1"));
  writer.putRecord(record("c.a.example", "CNAME", "h0.a.example."));
  writer.putRecord(record("cut.a.example", "NS", "ns.else.example."));
  writer.commit();
  const image = new ImageReader(writer.share(), 0);
  const share = makeUsage();
  const usage = new UsageWriter(share);
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const reader = new UsageReader(share, progress);
  const serve = createServe(image, { count: usage.count });
  const out = new Uint8Array(4096);
  const begin = () => {
    Atomics.add(progress, 0, 1);
    usage.begin();
    image.enter();
  };
  const ask = (name: string, type: keyof typeof TypeCode = "A") => {
    const query = composeQuestion(nameFromApi(name), TypeCode[type], 1232);
    expect(serve(query, 0, query.length, client, "udp", out, 0, out.length)).toBeGreaterThan(0);
  };
  const end = () => {
    image.leave();
    Atomics.add(progress, 0, 1);
  };
  const drained = () => {
    const rows: UsageRow[] = [];
    const lost = reader.drain((row) => rows.push(row));
    return { rows, lost };
  };
  return { begin, ask, end, drained, reader };
}

const row = (domain: string, type: string, queries: number): UsageRow => ({ zone: "a.example", domain, type, queries });

describe("a query counts for", () => {
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
      const { begin, ask, end, drained } = worker();
      begin();
      ask(name, type);
      end();
      expect(drained().rows).toEqual(counted);
      expect(drained().rows).toEqual([]);
    });
  }
});

test("a table that a batch under way may still fill is not read", () => {
  const { begin, ask, end, drained } = worker();
  begin();
  ask("h0.a.example");
  expect(drained().rows).toEqual([]);
  expect(drained().rows).toEqual([]);
  ask("h0.a.example");
  end();
  begin();
  ask("h0.a.example");
  expect(drained().rows).toEqual([row("h0.a.example", "A", 2)]);
  end();
  expect(drained().rows).toEqual([row("h0.a.example", "A", 1)]);
});

test("records for which there is no room count for their zone", () => {
  const hosts = 30_000;
  const { begin, ask, end, drained } = worker(hosts);
  begin();
  for (let n = 0; n < hosts; n++) ask(`h${n}.a.example`);
  end();
  const { rows, lost } = drained();
  expect(rows.reduce((sum, { queries }) => sum + queries, 0) + lost).toBe(hosts);
  expect(lost).toBe(0);
  expect(rows.find(({ domain }) => domain === "")!.queries).toBeGreaterThan(1000);
});

describe("reports", () => {
  test("are sent again as they were until the store has them, in order, and tell the rest at the end", async () => {
    vi.useFakeTimers();
    const { begin, ask, end, reader } = worker();
    const sent: UsageReport[] = [];
    let isAway = true;
    const carrier = {
      async send(report: UsageReport) {
        sent.push(report);
        if (isAway) throw new Error("away");
      },
      close() {},
    };
    const usage = new EdgeUsage({ edge: "e", readers: [reader], carrier, clock: fakeClock(0), log: silent });
    const turn = async () => {
      begin();
      ask("h0.a.example");
      end();
      await vi.advanceTimersByTimeAsync(10_000);
    };
    await turn();
    await turn();
    isAway = false;
    await turn();
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
});
