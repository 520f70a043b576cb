import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { silent } from "../../test/store.ts";
import { PeerSnapshots } from "./peer-snapshot.ts";
import { snapshotFiles } from "./snapshot-names.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-partners-"));
afterAll(() => rmSync(directory, { recursive: true }));
const newest = join(directory, "partners");
const snapshots = () => new PeerSnapshots(directory, silent);
const rows = (name: string) => ({
  keys: [{ account_id: "a", name, algorithm: "hmac-sha256", secret: "sealed" }],
  zones: [],
});

beforeEach(async () => {
  await snapshots().write(rows("first"));
  await snapshots().write(rows("second"));
});

test("what was written last is read", () => {
  expect(snapshots().read()).toEqual(rows("second"));
});

test("what is damaged, cut off or of another format is not; the one before is", () => {
  const text = readFileSync(newest, "utf8");
  const broken = [text.replace("second", "secone"), text.slice(0, -1), text.slice(0, 20), "", text.replace("1", "2")];
  for (const each of broken) {
    writeFileSync(newest, each);
    expect(snapshots().read()).toEqual(rows("first"));
  }
});

test("without any there is nothing", () => {
  for (const path of [newest, `${newest}.previous`]) rmSync(path);
  expect(snapshots().read()).toBeUndefined();
});

test("what cannot be written is told, and what was there stays", async () => {
  const failing = snapshots();
  symlinkSync("/dev/full", snapshotFiles(directory, "partners").writing);
  expect([await failing.write(rows("third")), failing.failures]).toEqual([false, 1]);
  expect(snapshots().read()).toEqual(rows("second"));
});
