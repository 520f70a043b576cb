/** The shares of accounts in the connections to the store. */
import { expect, test } from "vitest";
import { ConnectionShares } from "./shares.ts";

const patience = 1000;
const share = (account_id: string, kind = {}) => ({ account_id, within: patience, ...kind });

/** Work that continues until `end` is called, and the number of those that have begun. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  return {
    run: async () => {
      begun++;
      await promise;
    },
    begun: () => begun,
    end: resolve,
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("an account has at most a quarter of the connections, and others have theirs at once", async () => {
  const shares = new ConnectionShares(20, patience);
  const [busy, other] = [work(), work()];
  const all = Array.from({ length: 50 }, () => shares.read("busy", busy.run));
  await turn();
  expect(busy.begun()).toBe(5);
  const read = shares.read("other", other.run);
  await turn();
  expect(other.begun()).toBe(1);
  busy.end();
  other.end();
  await Promise.all([read, ...all]);
  expect(busy.begun()).toBe(50);
});

test("transactions of an account leave it a connection for reads", async () => {
  const shares = new ConnectionShares(20, patience);
  const [writes, reads] = [work(), work()];
  const all = Array.from({ length: 10 }, () => shares.transaction(share("a"), writes.run));
  await turn();
  all.push(shares.read("a", reads.run));
  await turn();
  expect([writes.begun(), reads.begun()]).toEqual([4, 1]);
  writes.end();
  reads.end();
  await Promise.all(all);
});

test("exclusive transactions of an account wait for one another, and hold one connection", async () => {
  const shares = new ConnectionShares(20, patience);
  const [exclusive, plain] = [work(), work()];
  const all = Array.from({ length: 20 }, () => shares.transaction(share("a", { isExclusive: true }), exclusive.run));
  await turn();
  all.push(...Array.from({ length: 20 }, () => shares.transaction(share("a"), plain.run)));
  await turn();
  expect([exclusive.begun(), plain.begun()]).toEqual([1, 3]);
  exclusive.end();
  plain.end();
  await Promise.all(all);
  expect(exclusive.begun()).toBe(20);
});

test("an account has one long transaction at a time", async () => {
  const shares = new ConnectionShares(20, patience);
  const long = work();
  const all = ["a", "a", "a", "b"].map((account) => shares.transaction(share(account, { isLong: true }), long.run));
  await turn();
  expect(long.begun()).toBe(2);
  long.end();
  await Promise.all(all);
});

test("a request waits longer while others of its queue are done", async () => {
  const shares = new ConnectionShares(4, 40);
  const order: number[] = [];
  const slow = (n: number) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 25));
    order.push(n);
  };
  await Promise.all([1, 2, 3, 4].map((n) => shares.read("a", slow(n))));
  expect(order).toEqual([1, 2, 3, 4]);
});

test("a wait that is too long ends with a refusal, and leaves the slot to others", async () => {
  const shares = new ConnectionShares(4, 20);
  const [held, later] = [work(), work()];
  const first = shares.read("a", held.run);
  await expect(shares.read("a", later.run)).rejects.toMatchObject({ status: 429 });
  held.end();
  await first;
  later.end();
  await shares.read("a", later.run);
  expect(later.begun()).toBe(1);
});
