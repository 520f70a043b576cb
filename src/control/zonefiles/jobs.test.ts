/** Slots of imports and exports, and jobs. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount } from "../../../test/store/writes.ts";
import { systemClock } from "../../lib/clock.ts";
import { Traffic } from "../../lib/fair/yield.ts";
import type { Spool } from "../../lib/files/spool.ts";
import { storeNow } from "../../storage/lease.ts";
import { Imports } from "./jobs.ts";

const store = await testStore();
const account = await insertAccount(store);
const directory = mkdtempSync(join(tmpdir(), "fairlead-imports-"));
const make = () => new Imports({ store, clock: systemClock, log: silent, directory, traffic: new Traffic() });
const imports = make();
afterAll(async () => {
  await imports.close();
  rmSync(directory, { recursive: true });
});

async function* empty() {}

/** One octet, which comes when `written` resolves. */
const blockedBy = (written: Promise<void>) =>
  async function* (): AsyncGenerator<Uint8Array> {
    await written;
    yield Uint8Array.of(0);
  };

/** A file that adds its name to `closed` when it is closed. */
const fileNamed = (name: string, closed: string[] = []): Spool => ({
  fd: -1,
  octets: 0,
  read: empty,
  close: async () => void closed.push(name),
});

test("an account takes at most half of the slots, and two accounts with all slots leave a third account its share", async () => {
  const files: Spool[] = [];
  const receive = async (name: string) => void files.push(await imports.receive(name, empty()));
  for (let n = 0; n < 10; n++) await receive("one");
  await expect(receive("one")).rejects.toThrow("too many imports are waiting");
  for (let n = 0; n < 10; n++) await receive("two");
  for (let n = 0; n < 6; n++) await receive("three");
  await expect(receive("three")).rejects.toThrow("too many imports are waiting");
  await files.shift()!.close();
  await expect(receive("one")).rejects.toThrow("too many imports are waiting");
  for (const file of files) await file.close();
  await (await imports.receive("one", empty())).close();
});

test("an account has at most half of the exports that are written at once", async () => {
  const written = Promise.withResolvers<void>();
  const write = (name: string) => imports.export(name, blockedBy(written.promise));
  const four = [1, 2, 3, 4].map(() => write("one"));
  await expect(write("one")).rejects.toThrow("too many exports are being written");
  const other = write("two");
  written.resolve();
  for (const { close } of await Promise.all([...four, other])) await close();
  await (await write("one")).close();
});

test("imports of one account run one after the other, even after a failed one", async () => {
  const order: string[] = [];
  const first = imports.run(account, fileNamed("first", order), async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push("first runs");
    throw new Error("broken");
  });
  const second = imports.run(account, fileNamed("second", order), async () => order.push("second runs"));
  await expect(first).rejects.toThrow("broken");
  await second;
  expect(order).toEqual(["first runs", "first", "second runs", "second"]);
});

test("a large import does not make another account wait: slices take turns", async () => {
  const order: string[] = [];
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const slice = (name: string) =>
    imports.inTurn(name, async () => {
      order.push(name);
      await written;
    });
  const large = imports.run("large", fileNamed("large"), async () => {
    await Promise.all([1, 2, 3].map(() => slice("large")));
    order.push("large ends");
  });
  const small = imports.run("small", fileNamed("small"), async () => {
    await slice("small");
    order.push("small ends");
  });
  await new Promise(setImmediate);
  expect(order).toEqual(["large"]);
  write();
  await Promise.all([large, small]);
  expect(order.filter((step) => !step.endsWith("ends"))).toEqual(["large", "large", "small", "large"]);
  expect(order.indexOf("small ends")).toBeLessThan(order.indexOf("large ends"));
});

const begin = (of: Imports, zone: string, file: Spool, work: Parameters<Imports["start"]>[3]) =>
  of.start(account, { zone, type: "importzonefile" }, file, (report) => of.run(account, file, () => work(report)));

test("a job that cannot be stored is not started, closes its file, and holds no lease", async () => {
  const never = () => Promise.reject(new Error("begun"));
  const closed: string[] = [];
  const started = begin(imports, "nul\0.example", fileNamed("file", closed), never);
  await expect(started).rejects.toThrow("invalid byte sequence");
  expect(closed).toEqual(["file"]);
  const held = store.db.selectFrom("lease").select("name").where("name", "like", "work:%");
  expect(await held.where("expires_at", ">", storeNow).execute()).toEqual([]);
});

test("a service that stops ends its imports, also those that wait; their files are closed, and their jobs show it", async () => {
  const stopping = make();
  const closed: string[] = [];
  const { id } = await begin(stopping, "stopped.example", fileNamed("running", closed), async () => {
    stopping.signal.throwIfAborted();
    return await new Promise((_, reject) =>
      stopping.signal.addEventListener("abort", () => reject(stopping.signal.reason)),
    );
  });
  const never = () => Promise.reject(new Error("begun"));
  const waiting = await begin(stopping, "waiting.example", fileNamed("waiting", closed), never);
  await stopping.close();
  expect(closed).toEqual(["running", "waiting"]);
  for (const job of [id, waiting.id]) {
    await expect
      .poll(async () => (await imports.find(account, job))?.job, { timeout: 10_000 })
      .toMatchObject({ percent: 100, result: "error", response_code: 503 });
  }
});
