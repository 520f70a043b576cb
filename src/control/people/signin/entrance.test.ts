/** Turns at the entrance: who waits behind whom, and who is sent away. */
import { beforeEach, describe, expect, test } from "vitest";
import { Entrance } from "./entrance.ts";

let entrance: Entrance;
/** Who was let in, in order, and who was sent away. */
let entered: string[];
let refused: string[];
/** Opens the door for those who were let in so far. */
let leave: () => void;
let open: Promise<void>;

beforeEach(() => {
  entrance = new Entrance();
  [entered, refused] = [[], []];
  ({ promise: open, resolve: leave } = Promise.withResolvers<void>());
});

/** Comes to the entrance, as `name`, and stays inside until the door opens. */
const come = (party: string, address: string, name = `${party} ${address}`): Promise<void> =>
  entrance
    .pass({ party, address }, async () => {
      entered.push(name);
      await open;
    })
    .catch((error: Error) => {
      expect(error.message).toContain("try again");
      refused.push(name);
    });

const many = (count: number, party: string, address: string) =>
  Array.from({ length: count }, () => come(party, address));

/** Two who are inside while the others come. */
const full = () => many(2, "inside", "inside");

const end = async (all: readonly Promise<void>[]) => {
  leave();
  await Promise.all(all);
  return entered.slice(2);
};

test("one account that comes often keeps no other waiting for more than a turn", async () => {
  const all = [...full(), ...many(58, "a", "x"), come("b", "y"), come("b", "y")];
  const order = await end(all);
  expect(order.indexOf("b y")).toBe(1);
  expect(order.lastIndexOf("b y")).toBe(3);
  expect(order).toHaveLength(60);
});

test("one address that wants into an account keeps those of others out for no more than a turn", async () => {
  const all = [...full(), ...many(50, "a", "strangers"), come("a", "home"), come("a", "office")];
  const order = await end(all);
  expect(order.slice(0, 3)).toEqual(["a strangers", "a home", "a office"]);
});

test("no more than two are inside, and the place of one who failed is free", async () => {
  const failing = [1, 2].map(() =>
    entrance.pass({ party: "a", address: "x" }, async () => {
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

describe("when too many wait", () => {
  test("the last of those who are most is sent away, and who comes alone is not", async () => {
    const all = [...full(), ...many(150, "a", "x"), ...many(50, "a", "y"), come("b", "z"), come("a", "y")];
    await expect.poll(() => refused, { timeout: 10_000 }).toEqual(["a x", "a x"]);
    const order = await end(all);
    expect(order).toHaveLength(200);
    expect(order.slice(0, 3)).toEqual(["a x", "b z", "a y"]);
  });

  test("of very many who come once each it is the last, and nobody is lost", async () => {
    const all = [...full(), ...Array.from({ length: 300 }, (_, i) => come(`p${i}`, "x", `p${i}`))];
    expect(await end(all)).toEqual(Array.from({ length: 200 }, (_, i) => `p${i}`));
    expect(refused).toHaveLength(100);
    await Promise.all(many(3, "later", "x"));
    expect(entered.slice(-3)).toEqual(["later x", "later x", "later x"]);
  });
});
