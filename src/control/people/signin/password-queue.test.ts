/** The queue's queue: its order, and its refusals when it is full. */
import { beforeEach, describe, expect, test } from "vitest";
import { PasswordQueue } from "./password-queue.ts";

let queue: PasswordQueue;
/** The names that entered, in order, and the names that were refused. */
let entered: string[];
let refused: string[];
/** Lets the ones inside leave. */
let leave: () => void;
let open: Promise<void>;

beforeEach(() => {
  queue = new PasswordQueue();
  [entered, refused] = [[], []];
  ({ promise: open, resolve: leave } = Promise.withResolvers<void>());
});

/** Enters as `name`, and stays inside until the door opens. */
const come = (party: string, address: string, name = `${party} ${address}`): Promise<void> =>
  queue
    .run({ party, address }, async () => {
      entered.push(name);
      await open;
    })
    .catch((error: Error) => {
      expect(error.message).toContain("try again");
      refused.push(name);
    });

const many = (count: number, party: string, address: string) =>
  Array.from({ length: count }, () => come(party, address));

/** Two that are inside while the others come. */
const full = () => many(2, "inside", "inside");

const end = async (all: readonly Promise<void>[]) => {
  leave();
  await Promise.all(all);
  return entered.slice(2);
};

test("one account with many requests delays another by at most one slot", async () => {
  const all = [...full(), ...many(58, "a", "x"), come("b", "y"), come("b", "y")];
  const order = await end(all);
  expect(order.indexOf("b y")).toBe(1);
  expect(order.lastIndexOf("b y")).toBe(3);
  expect(order).toHaveLength(60);
});

test("one address with many requests to an account delays other addresses by at most one slot", async () => {
  const all = [...full(), ...many(50, "a", "strangers"), come("a", "home"), come("a", "office")];
  const order = await end(all);
  expect(order.slice(0, 3)).toEqual(["a strangers", "a home", "a office"]);
});

test("at most two are inside, and a failed one frees its slot", async () => {
  const failing = [1, 2].map(() =>
    queue.run({ party: "a", address: "x" }, async () => {
      await open;
      throw new Error("failed");
    }),
  );
  const next = come("a", "x");
  expect(entered).toEqual([]);
  leave();
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await next;
  await Promise.all([come("a", "x"), come("a", "x")]);
  expect(entered).toHaveLength(3);
});

describe("when the queue is full", () => {
  test("the last of the largest party is refused, and a single request is not", async () => {
    const all = [...full(), ...many(150, "a", "x"), ...many(50, "a", "y"), come("b", "z"), come("a", "y")];
    await expect.poll(() => refused, { timeout: 10_000 }).toEqual(["a x", "a x"]);
    const order = await end(all);
    expect(order).toHaveLength(200);
    expect(order.slice(0, 3)).toEqual(["a x", "b z", "a y"]);
  });

  test("of very many single requests the last ones are refused, and all are settled", async () => {
    const all = [...full(), ...Array.from({ length: 300 }, (_, i) => come(`p${i}`, "x", `p${i}`))];
    expect(await end(all)).toEqual(Array.from({ length: 200 }, (_, i) => `p${i}`));
    expect(refused).toHaveLength(100);
    await Promise.all(many(3, "later", "x"));
    expect(entered.slice(-3)).toEqual(["later x", "later x", "later x"]);
  });
});
