import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LineFormat, LineSnapshots } from "./line-snapshots.ts";
import { snapshotFiles } from "./names.ts";

const logged: string[] = [];
const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });

interface Shelf {
  readonly title: string;
  readonly books: readonly string[];
}
const shelves: LineFormat<Shelf> = {
  name: "shelves",
  what: "shelves",
  format: 1,
  head: ({ title }) => ({ title }),
  lines: ({ books }) => books,
  parse: ({ title }: Shelf, books: readonly string[]) => ({ title, books }),
};

let directory: string;
let newest: string;
let snapshots: LineSnapshots<Shelf>;
beforeEach(() => {
  logged.length = 0;
  directory = mkdtempSync(join(tmpdir(), "fairlead-lines-"));
  newest = join(directory, "shelves");
  snapshots = new LineSnapshots(shelves, directory, log);
});
afterEach(() => rmSync(directory, { recursive: true }));

test("many lines are read completely, and the previous snapshot is kept", async () => {
  expect(snapshots.read()).toBeUndefined();
  const first = { title: "first", books: ["é"] };
  const second = { title: "second", books: Array.from({ length: 1001 }, (_, n) => `book ${n}`) };
  for (const shelf of [first, second]) expect(await snapshots.write(shelf)).toBe(true);
  expect(snapshots.read()).toEqual(second);
  rmSync(newest);
  expect(snapshots.read()).toEqual(first);
  expect(logged).toEqual([]);
});

test("a damaged or truncated snapshot is refused, and the previous one is read", async () => {
  const before = { title: "before", books: [] };
  await snapshots.write(before);
  await snapshots.write({ title: "damaged", books: ["a", "b"] });
  const octets = readFileSync(newest);
  for (let at = 0; at < octets.length; at++) {
    writeFileSync(newest, octets.subarray(0, at));
    expect(snapshots.read(), `${at} octets`).toEqual(before);
    octets[at]! ^= 1 << (at & 7);
    writeFileSync(newest, octets);
    expect(snapshots.read(), `octet ${at}`).toEqual(before);
    octets[at]! ^= 1 << (at & 7);
  }
  expect(logged).toHaveLength(2 * octets.length);
  expect(logged[0]).toContain("a snapshot of shelves cannot be used");
});

test.each([
  ["in another format", '{"fairlead_shelves":99}\n', "it has format 99; this version reads 1"],
  ["of an unreleased version", '{"format":1}\n', "it is not a snapshot that this version can read"],
])("a snapshot %s is refused, and the log has the reason", (_, text, reason) => {
  writeFileSync(newest, `${text}{"crc32":${crc32(text)}}\n`);
  expect(snapshots.read()).toBeUndefined();
  expect(logged.join()).toContain(reason);
});

test.each([
  ["the disk is full", "ENOSPC", (path: string) => symlinkSync("/dev/full", path)],
  ["the path is a directory", "EISDIR", (path: string) => mkdirSync(path)],
])("when %s, a failure is logged and the existing snapshot stays", async (_, code, obstruct) => {
  const kept = { title: "kept", books: ["a"] };
  await snapshots.write(kept);
  obstruct(snapshotFiles(directory, "shelves").writing);
  expect([await snapshots.write({ title: "next", books: [] }), snapshots.failures]).toEqual([false, 1]);
  expect(logged.join()).toContain(code);
  expect(snapshots.read()).toEqual(kept);
});
