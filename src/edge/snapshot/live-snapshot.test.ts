import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { silent } from "../../../test/store/store.ts";
import { LiveReader } from "../../answer/live/reader.ts";
import { LiveTable } from "../../answer/live/table.ts";
import { LineSnapshots } from "./line-snapshots.ts";
import { liveLines } from "./live-snapshot.ts";

const position = { revision: 3, store: "store", currentAt: 5 };
const directory = mkdtempSync(join(tmpdir(), "fairlead-values-"));
afterAll(() => rmSync(directory, { recursive: true }));

const feed = (feed_id: string, data: Record<string, unknown>, more = {}) => ({
  ...{ feed_id, data, at: 1000, max_age: null, fallback: null },
  ...more,
});

function tableOf(...states: Parameters<LiveTable["put"]>[0]): LiveTable {
  const table = new LiveTable();
  table.put(states);
  return table;
}

test("a table restored from a snapshot has the value of every key at any time", async () => {
  const feeds = [
    feed("plain", { up: true, weight: 2.5, note: { a: ["é"] } }),
    feed("aged", { up: true }, { max_age: 10, fallback: { up: false, load: 7 } }),
    feed("never", {}, { at: null, max_age: 5, fallback: { up: "0" } }),
    feed("odd", JSON.parse('{"__proto__":1,"toString":null}')),
  ];
  const table = tableOf(...feeds);
  const snapshots = new LineSnapshots(liveLines, directory, silent);
  await snapshots.write({ position, states: table.states() });
  const read = snapshots.read()!;
  expect(read.position).toEqual(position);
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
