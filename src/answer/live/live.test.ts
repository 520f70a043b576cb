/** Values in the live table as a reader sees them, and the limits of the table. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mostNameOctets, mostValueOctets } from "./layout.ts";
import { LiveReader } from "./reader.ts";
import type { FeedState } from "./share.ts";
import { LiveTable } from "./table.ts";

const feed = (feed_id: string, data: FeedState["data"], more: Partial<FeedState> = {}): FeedState => ({
  ...{ feed_id, data, at: 1000, max_age: null, fallback: null },
  ...more,
});

/** A table, and a reader of it that asks by name, at second 1. */
function tableWith(...states: FeedState[]) {
  const table = new LiveTable();
  table.put(states);
  const reader = new LiveReader(table.share());
  reader.now = 1000;
  const number = (id: string, key: string) => reader.number(reader.cell(id, key));
  const value = (id: string, key: string) => reader.value(reader.cell(id, key));
  return { table, reader, number, value };
}

describe("a value", () => {
  test.each([
    [true, 1],
    [false, 0],
    ["1", 1],
    ["0.5", 0.5],
    ["true", 1],
    ["false", 0],
    [-2.5, -2.5],
    ["", Number.NaN],
    ["0x10", Number.NaN],
    ["up", Number.NaN],
    [null, Number.NaN],
    [["1"], Number.NaN],
    [Number.POSITIVE_INFINITY, Number.NaN],
  ])("%j is read as %d", (pushed, expected) => {
    expect(tableWith(feed("f", { key: pushed })).number("f", "key")).toBe(expected);
  });

  test("is read as it was pushed, and is the same object until the cell changes", () => {
    const country = ["US", "Ü", { nested: [1, null] }];
    const { table, reader, value } = tableWith(feed("f", { country, up: "1" }));
    expect(value("f", "country")).toEqual(country);
    expect(value("f", "country")).toBe(value("f", "country"));
    expect(value("f", "up")).toBe("1");
    const before = value("f", "country");
    table.put([feed("f", { country })]);
    expect(value("f", "country")).not.toBe(before);
    expect(reader.value(-1)).toBeUndefined();
  });

  test("applies until it is older than max_age, then the fallback does", () => {
    const { reader, number, value } = tableWith(
      feed("f", { up: true, weight: 5 }, { at: 10_000, max_age: 30, fallback: { up: false } }),
    );
    reader.now = 39_999;
    expect([number("f", "up"), number("f", "weight"), value("f", "up")]).toEqual([1, 5, true]);
    reader.now = 40_000;
    expect([number("f", "up"), number("f", "weight"), value("f", "up")]).toEqual([0, Number.NaN, false]);
    expect(value("f", "weight")).toBeUndefined();
    expect(reader.pushedAt(reader.cell("f", "up"))).toBe(10_000);
  });

  test("that was never pushed is the fallback", () => {
    const { reader, number } = tableWith(feed("f", {}, { at: null, fallback: { up: "0" } }));
    expect(number("f", "up")).toBe(0);
    expect(reader.pushedAt(reader.cell("f", "up"))).toBeNaN();
  });

  test("changes when another value is pushed or when it expires, not when the same value is pushed again", () => {
    const { table, reader } = tableWith(feed("f", { up: true }, { at: 1000, max_age: 10 }));
    const changed = () => reader.changedAt(reader.cell("f", "up"));
    table.put([feed("f", { up: true }, { at: 5000, max_age: 10 })]);
    expect(changed()).toBe(1000);
    table.put([feed("f", { up: false }, { at: 7000, max_age: 10 })]);
    expect(changed()).toBe(7000);
    reader.now = 20_000;
    expect(changed()).toBe(17_000);
    table.put([feed("f", { up: false }, { at: 20_000, max_age: 10 })]);
    expect(changed()).toBe(20_000);
  });

  test("pushed as loadAvg is found under the other spelling, loadavg", () => {
    expect(tableWith(feed("f", { loadAvg: 0.5 })).number("f", "loadavg")).toBe(0.5);
    expect(tableWith(feed("f", { loadAvg: 0.5, loadavg: 2 })).number("f", "loadavg")).toBe(2);
  });

  test("whose key names a method of objects exists only if it was pushed", () => {
    const { number, reader } = tableWith(feed("f", { toString: 7 }, { fallback: { up: 1 } }));
    expect(number("f", "toString")).toBe(7);
    expect(reader.cell("f", "constructor")).toBe(-1);
  });

  test("that is too long, or has a name that is too long, is unset", () => {
    const { table, value, reader } = tableWith(feed("f", { note: "a" }));
    expect(table.put([feed("f", { note: "x".repeat(mostValueOctets) })])).toBe(1);
    expect(value("f", "note")).toBeUndefined();
    expect(table.put([feed("f", { ["k".repeat(mostNameOctets)]: 1 })])).toBe(1);
    expect(reader.cell("f", "k".repeat(mostNameOctets))).toBe(-1);
  });
});

describe("a cell", () => {
  test("that was removed reads as unset, even if another feed has its memory", () => {
    const { table, reader, number } = tableWith(feed("old", { up: 1 }));
    const gone = reader.cell("old", "up");
    const { generation } = reader;
    table.put([feed("old", null), feed("new", { up: 5 })]);
    expect(reader.generation).not.toBe(generation);
    table.put([feed("newer", { up: 6 })]);
    expect([reader.cell("old", "up"), reader.number(gone), reader.value(gone)]).toEqual([-1, Number.NaN, undefined]);
    expect([number("new", "up"), number("newer", "up")]).toEqual([5, 6]);
    expect(table.stats()).toMatchObject({ feeds: 2, values: 2 });
  });

  test("keeps its handle and the generation while only values change", () => {
    const { table, reader, number } = tableWith(feed("f", { up: true }));
    const { generation } = reader;
    const cell = reader.cell("f", "up");
    for (let n = 0; n < 10; n++) table.put([feed("f", { up: n % 2 === 0 })]);
    expect([reader.generation, reader.cell("f", "up")]).toEqual([generation, cell]);
    expect(number("f", "up")).toBe(0);
  });

  test("of a feed with few keys stays if a push omits its key", () => {
    const { table, reader, value } = tableWith(feed("f", { up: true, weight: 1 }));
    const { generation } = reader;
    for (const data of [{ up: false }, { weight: 2 }, { up: true }]) table.put([feed("f", data)]);
    expect([reader.generation, value("f", "up"), value("f", "weight")]).toEqual([generation, true, undefined]);
    expect(reader.pushedAt(reader.cell("f", "weight"))).toBe(1000);
    for (let n = 0; n < 200; n++) table.put([feed("f", { [`key ${n}`]: n })]);
    expect(table.stats().values).toBeLessThan(40);
    expect([value("f", "key 199"), value("f", "key 198")]).toEqual([199, undefined]);
  });

  test("is refused beyond the limits, and accepted after other cells were removed", () => {
    const table = new LiveTable({ cells: 3, textOctets: 1 << 16 });
    const reader = new LiveReader(table.share());
    expect(table.put(["a", "b", "c", "d"].map((id) => feed(id, { up: 1 })))).toBe(1);
    expect(reader.cell("d", "up")).toBe(-1);
    expect(table.put([feed("a", null), feed("d", { up: 4 })])).toBe(0);
    expect(reader.number(reader.cell("d", "up"))).toBe(4);
    const long = "x".repeat(30_000);
    expect(table.put([feed("b", { up: long }), feed("c", { up: long }), feed("d", { up: long })])).toBe(2);
    expect(table.put([feed("b", null), feed("c", null), feed("d", { up: long })])).toBe(0);
    expect(reader.value(reader.cell("d", "up"))).toBe(long);
  });
});

test("memory does not grow when feeds are added and removed", () => {
  const table = new LiveTable();
  const round = (n: number) => {
    const former = [...table.feeds()].filter((id) => id.startsWith(`${n - 2} `));
    table.put(Array.from({ length: 3 }, (_, i) => feed(`${n} ${i}`, { up: true, note: `${i}`.repeat(20) })));
    table.put(former.map((id) => feed(id, null)));
  };
  for (let n = 0; n < 10; n++) round(n);
  const { octets, values } = table.stats();
  // more rounds than the assignments that a cell can count
  for (let n = 10; n < 7000; n++) round(n);
  expect(table.stats()).toMatchObject({ octets, values });
  const reader = new LiveReader(table.share());
  expect(reader.value(reader.cell("6999 2", "note"))).toBe("2".repeat(20));
  expect(reader.cell("6000 2", "note")).toBe(-1);
}, 20_000);

test("after any sequence of states, the latest of each feed is read, while the memory grows", () => {
  const key = fc.constantFrom("up", "weight", "note", "country");
  const contents = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.boolean(), fc.integer()), { maxKeys: 3 });
  const state = fc.record({
    feed_id: fc.nat(40).map((n) => `feed ${n}`),
    data: fc.option(contents, { freq: 4 }),
    at: fc.option(fc.nat(100_000)),
    max_age: fc.option(fc.nat(60)),
    fallback: fc.option(contents),
  });
  fc.assert(
    fc.property(fc.array(fc.array(state, { maxLength: 30 }), { maxLength: 20 }), fc.nat(200_000), (puts, now) => {
      const table = new LiveTable();
      const reader = new LiveReader(table.share());
      reader.now = now;
      const model = new Map<string, FeedState>();
      for (const states of puts) {
        table.put(states);
        for (const one of states) model.set(one.feed_id, one);
        for (const id of model.keys()) {
          for (const name of ["up", "weight", "note", "country"]) {
            expect(reader.value(reader.cell(id, name))).toEqual(expected(model.get(id)!, name, now));
          }
        }
      }
    }),
    { numRuns: 25 },
  );
});

function expected({ data, at, max_age, fallback }: FeedState, key: string, now: number): unknown {
  if (data === null) return undefined;
  const isFresh = max_age === null || (at !== null && now < at + max_age * 1000);
  const value = isFresh && key in data ? data[key] : fallback?.[key];
  // as JSON
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

describe("a table that is full", () => {
  test("reports the values that it leaves out until they have room", () => {
    const table = new LiveTable({ cells: 4 });
    table.put([feed("a", { m: 1, n: 1 }), feed("b", { m: 1, n: 1 }), feed("c", { m: 1, n: 1 })]);
    expect(table.stats()).toMatchObject({ values: 4, unserved: 2 });
    table.put([feed("a", null)]);
    table.put([feed("c", { m: 1, n: 1 })]);
    expect(table.stats()).toMatchObject({ values: 4, unserved: 0 });
  });

  test("keeps no cells for unset keys beyond half of its cells", () => {
    const table = new LiveTable({ cells: 64 });
    for (let n = 0; n < 1000; n++) table.put([feed(`f${n % 4}`, { [`key${n}`]: n })]);
    expect(table.stats().values).toBeLessThanOrEqual(36);
    expect(table.stats().unserved).toBe(0);
  });
});

test("the texts of values that have become small are free for other values", () => {
  const table = new LiveTable();
  const large = "x".repeat(60_000);
  for (let n = 0; n < 500; n++) {
    table.put([feed(`f${n}`, { text: large })]);
    table.put([feed(`f${n}`, { text: "" })]);
  }
  expect(table.stats().octets).toBeLessThan(2_000_000);
});
