import { afterAll, expect, test } from "vitest";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount } from "../../../test/store/writes.ts";
import { systemClock } from "../../lib/clock.ts";
import { Traffic } from "../../lib/fair/yield.ts";
import type { Content } from "../../lib/files/spool.ts";
import { storeNow } from "../../storage/lease.ts";
import { Imports } from "./jobs.ts";

const store = await testStore();
const account = await insertAccount(store);
const make = () =>
  new Imports({ store, clock: systemClock, log: silent, directory: "/nowhere", traffic: new Traffic() });
const imports = make();
afterAll(() => imports.close());

test("an account takes at most half of the slots, and two accounts with all slots leave a third its share", () => {
  const left: (() => void)[] = [];
  const enter = (name: string) => left.push(imports.enter(name).leave);
  for (let n = 0; n < 10; n++) enter("one");
  expect(() => enter("one")).toThrow("too many imports are waiting");
  for (let n = 0; n < 10; n++) enter("two");
  for (let n = 0; n < 6; n++) enter("three");
  expect(() => enter("three")).toThrow("too many imports are waiting");
  left.shift()!();
  expect(() => enter("one")).toThrow("too many imports are waiting");
  for (const leave of left) leave();
  expect(() => imports.enter("one").leave()).not.toThrow();
});

test("an account has at most half of the exports that are written at once", async () => {
  const written = Promise.withResolvers<Content>();
  const write = (name: string) => imports.export(name, () => written.promise);
  const four = [1, 2, 3, 4].map(() => write("one"));
  await expect(write("one")).rejects.toThrow("too many exports are being written");
  const other = write("two");
  written.resolve({ octets: 0, etag: "", read: async function* () {}, close: async () => {} });
  for (const { close } of await Promise.all([...four, other])) await close();
  await (await write("one")).close();
});

test("imports run one after the other, even after a failed one", async () => {
  const order: string[] = [];
  const first = imports.run(account, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push("first");
    throw new Error("broken");
  });
  const second = imports.run(account, async () => order.push("second"));
  await expect(first).rejects.toThrow("broken");
  await second;
  expect(order).toEqual(["first", "second"]);
});

test("a job that cannot be stored is not started, and holds no lease", async () => {
  const never = () => Promise.reject(new Error("begun"));
  await expect(imports.start(account, "nul\0.example", never)).rejects.toThrow("invalid byte sequence");
  const held = store.db.selectFrom("lease").select("name").where("name", "like", "work:%");
  expect(await held.where("expires_at", ">", storeNow).execute()).toEqual([]);
});

test("a service that stops ends its imports, and their jobs show it", async () => {
  const stopping = make();
  const { id } = await stopping.start(account, "stopped.example", async () => {
    stopping.signal.throwIfAborted();
    return await new Promise((_, reject) =>
      stopping.signal.addEventListener("abort", () => reject(stopping.signal.reason)),
    );
  });
  const waiting = await stopping.start(account, "waiting.example", () => Promise.reject(new Error("never begun")));
  await stopping.close();
  for (const job of [id, waiting.id]) {
    await expect
      .poll(async () => (await imports.find(account, job))?.job, { timeout: 10_000 })
      .toMatchObject({ percent: 100, result: "error", response_code: 503 });
  }
});
