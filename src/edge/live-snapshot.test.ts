import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LiveReader } from "../answer/live/reader.ts";
import { LiveTable } from "../answer/live/table.ts";
import { LiveSnapshots } from "./live-snapshot.ts";
import { snapshotFiles } from "./snapshot-names.ts";

const lines: string[] = [];
const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
const place = { revision: 3, store: "store", currentAt: 5 };

let directory: string;
let newest: string;
beforeEach(() => {
  lines.length = 0;
  directory = mkdtempSync(join(tmpdir(), "fairlead-values-"));
  newest = join(directory, "values");
});
afterEach(() => rmSync(directory, { recursive: true }));

const feed = (feed_id: string, data: Record<string, unknown>, more = {}) => ({
  ...{ feed_id, data, at: 1000, max_age: null, fallback: null },
  ...more,
});

function tableOf(...states: Parameters<LiveTable["put"]>[0]): LiveTable {
  const table = new LiveTable();
  table.put(states);
  return table;
}

describe("a snapshot of values", () => {
  test("says of every key what the table said, at any time", async () => {
    const feeds = [
      feed("plain", { up: true, weight: 2.5, note: { a: ["é"] } }),
      feed("aged", { up: true }, { max_age: 10, fallback: { up: false, load: 7 } }),
      feed("never", {}, { at: null, max_age: 5, fallback: { up: "0" } }),
      feed("odd", JSON.parse('{"__proto__":1,"toString":null}')),
    ];
    const table = tableOf(...feeds);
    const snapshots = new LiveSnapshots(directory, log);
    await snapshots.write(place, table.states());
    const read = snapshots.read()!;
    expect(read.place).toEqual(place);
    const tables = [table, tableOf(...read.states)].map((each) => new LiveReader(each.share()));
    for (const { feed_id } of feeds) {
      for (const key of ["up", "weight", "note", "load", "__proto__", "toString"]) {
        for (const now of [0, 10_999, 11_000, 1e15]) {
          const [before, after] = tables.map((reader) => {
            reader.now = now;
            const cell = reader.cell(feed_id, key);
            return [reader.value(cell), reader.number(cell), reader.pushedAt(cell), reader.changedAt(cell)];
          });
          expect(after, `${feed_id} ${key} ${now}`).toEqual(before);
        }
      }
    }
  });

  test("of many feeds is read whole, and the one before is kept", async () => {
    const feeds = Array.from({ length: 1001 }, (_, n) => feed(`feed${n}`, { n }));
    const snapshots = new LiveSnapshots(directory, log);
    await snapshots.write(place, feeds.slice(0, 1));
    await snapshots.write({ ...place, revision: 4 }, feeds);
    expect(snapshots.read()).toEqual({ place: { ...place, revision: 4 }, states: feeds });
    rmSync(newest);
    expect(snapshots.read()?.place.revision).toBe(3);
  });

  test("that is damaged anywhere, or cut off, is refused", async () => {
    const snapshots = new LiveSnapshots(directory, log);
    await snapshots.write(place, [feed("a", { up: true }), feed("b", { up: false })]);
    const octets = readFileSync(newest);
    for (let at = 0; at < octets.length; at++) {
      writeFileSync(newest, octets.subarray(0, at));
      expect(snapshots.read(), `${at} octets`).toBeUndefined();
      octets[at]! ^= 1 << (at & 7);
      writeFileSync(newest, octets);
      expect(snapshots.read(), `octet ${at}`).toBeUndefined();
      octets[at]! ^= 1 << (at & 7);
    }
    expect(lines).toHaveLength(2 * octets.length);
  });

  test("of another format is refused with both formats", () => {
    const text = '{"format":99}\n';
    writeFileSync(newest, `${text}{"crc32":${crc32(text)}}\n`);
    expect(new LiveSnapshots(directory, log).read()).toBeUndefined();
    expect(lines.join()).toContain("it has format 99; this version reads 1");
  });

  test("is not lost when there is no room for the next one", async () => {
    const snapshots = new LiveSnapshots(directory, log);
    expect(await snapshots.write(place, [])).toBe(true);
    symlinkSync("/dev/full", snapshotFiles(directory, "values").writing);
    expect(await snapshots.write({ ...place, revision: 4 }, [])).toBe(false);
    expect(snapshots.failures).toBe(1);
    expect(lines.join()).toContain("ENOSPC");
    expect(snapshots.read()).toEqual({ place, states: [] });
  });
});
