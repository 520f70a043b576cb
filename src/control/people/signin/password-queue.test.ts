/** The queue of password checks: its order, and its refusals when it is full. */
import { beforeEach, describe, expect, test } from "vitest";
import { PasswordQueue } from "./password-queue.ts";

let queue: PasswordQueue;
/** The names whose work ran, in order, and the names that were refused. */
let ran: string[];
let refused: string[];
/** Ends the running work. */
let finish: () => void;
let finished: Promise<void>;

beforeEach(() => {
  queue = new PasswordQueue();
  [ran, refused] = [[], []];
  ({ promise: finished, resolve: finish } = Promise.withResolvers<void>());
});

/** Waits in the queue as `name`, and occupies a slot until `finish` is called. */
const wait = (party: string, address: string, name = `${party} ${address}`): Promise<void> =>
  queue
    .run({ party, address }, async () => {
      ran.push(name);
      await finished;
    })
    .catch((error: Error) => {
      expect(error.message).toContain("try again");
      refused.push(name);
    });

const many = (count: number, party: string, address: string) =>
  Array.from({ length: count }, () => wait(party, address));

/** Occupies both slots. */
const full = () => many(2, "first", "first");

const end = async (all: readonly Promise<void>[]) => {
  finish();
  await Promise.all(all);
  return ran.slice(2);
};

test("one account with many requests delays another account by at most one slot", async () => {
  const all = [...full(), ...many(58, "a", "x"), wait("b", "y"), wait("b", "y")];
  const order = await end(all);
  expect(order.indexOf("b y")).toBe(1);
  expect(order.lastIndexOf("b y")).toBe(3);
  expect(order).toHaveLength(60);
});

test("one address with many requests to an account delays other addresses by at most one slot", async () => {
  const all = [...full(), ...many(50, "a", "strangers"), wait("a", "home"), wait("a", "office")];
  const order = await end(all);
  expect(order.slice(0, 3)).toEqual(["a strangers", "a home", "a office"]);
});

test("at most two checks run at once, and a failed check frees its slot", async () => {
  const failing = [1, 2].map(() =>
    queue.run({ party: "a", address: "x" }, async () => {
      await finished;
      throw new Error("failed");
    }),
  );
  const next = wait("a", "x");
  expect(ran).toEqual([]);
  finish();
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await next;
  await Promise.all([wait("a", "x"), wait("a", "x")]);
  expect(ran).toHaveLength(3);
});

describe("when the queue is full", () => {
  test("the last request of the largest party is refused, and a single request is not", async () => {
    const all = [...full(), ...many(150, "a", "x"), ...many(50, "a", "y"), wait("b", "z"), wait("a", "y")];
    await expect.poll(() => refused, { timeout: 10_000 }).toEqual(["a x", "a x"]);
    const order = await end(all);
    expect(order).toHaveLength(200);
    expect(order.slice(0, 3)).toEqual(["a x", "b z", "a y"]);
  });

  test("of very many single requests the last ones are refused, and all are settled", async () => {
    const all = [...full(), ...Array.from({ length: 300 }, (_, i) => wait(`p${i}`, "x", `p${i}`))];
    expect(await end(all)).toEqual(Array.from({ length: 200 }, (_, i) => `p${i}`));
    expect(refused).toHaveLength(100);
    await Promise.all(many(3, "later", "x"));
    expect(ran.slice(-3)).toEqual(["later x", "later x", "later x"]);
  });
});
