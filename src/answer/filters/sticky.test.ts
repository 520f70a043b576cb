/** The order of answers after the `sticky` filter. */
import { describe, expect, test } from "vitest";
import { type ChainCase, countChain, runChain } from "../../../test/engine/chain.ts";

const sticky = (config: unknown = {}) => [{ filter: "sticky", config }];
const order = (chain: Omit<ChainCase, "filters">, config?: unknown) => runChain({ ...chain, filters: sticky(config) });
const five = { answers: [{}, {}, {}, {}, {}] };
const v6 = (...last: number[]) => [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, ...last, ...Array(9 - last.length).fill(0)];

describe("the order of a client", () => {
  test("is the same on every edge, after every restart and in every version", () => {
    expect(order({ ...five, client: [192, 0, 2, 1] }).left).toEqual([2, 0, 3, 1, 4]);
    expect(order({ ...five, client: [192, 0, 2, 2] }).left).toEqual([2, 1, 3, 4, 0]);
    expect(order({ ...five, client: v6(1) }).left).toEqual([2, 4, 3, 1, 0]);
  });
  test("does not depend on random numbers", () => {
    expect(order({ ...five, seed: 1 })).toEqual(order({ ...five, seed: 2 }));
  });
  test("depends on the whole address, which the scope covers", () => {
    expect(order({ ...five, client: [192, 0, 2, 1] }).depth).toBe(32);
    expect(order({ ...five, client: v6(1) }).depth).toBe(128);
  });
  test("does not depend on the order of the answers in the record", () => {
    const addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
    const named = (list: string[]) =>
      order({ answers: list.map((address) => ({ answer: [address] })) }).left.map((answer) => list[Number(answer)]);
    expect(named(addresses)).toEqual(named(addresses.toReversed()));
  });
  test("stays the same for the remaining answers when an answer is removed", () => {
    const list = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"];
    const named = (addresses: string[]) =>
      order({ answers: addresses.map((address) => ({ answer: [address] })) }).left.map((at) => addresses[Number(at)]);
    expect(named(list.slice(1))).toEqual(named(list).filter((address) => address !== list[0]));
  });
  test("has the same first ranks when only those are kept", () => {
    const first = { filter: "select_first_n", config: { N: 2 } };
    const all = order(five).left;
    expect(runChain({ ...five, filters: [...sticky(), first] }).left).toEqual(all.slice(0, 2));
  });
  test("has scope 0 for a single answer", () => {
    expect(order({ answers: [{}] })).toEqual({ left: [0], texts: [], depth: 0 });
  });
});

describe("sticky_by_network", () => {
  const same = (config: unknown, a: number[], b: number[]) => {
    expect(order({ ...five, client: a }, config).left).toEqual(order({ ...five, client: b }, config).left);
  };
  test.each([true, 1, "1", "true"])("%j: one order for a network of 24 bits", (on) => {
    for (const last of [0, 1, 77, 255]) same({ sticky_by_network: on }, [192, 0, 2, last], [192, 0, 2, 9]);
    expect(order({ ...five, client: [192, 0, 2, 1] }, { sticky_by_network: on }).depth).toBe(24);
  });
  test("one order for an IPv6 network of 56 bits", () => {
    for (const last of [0, 1, 77, 255]) same({ sticky_by_network: true }, v6(last, 1), v6(3));
    expect(order({ ...five, client: v6(1) }, { sticky_by_network: true }).depth).toBe(56);
  });
  test.each([false, 0, "0", "false", null, "yes", {}])("%j: each address has an order of its own", (off) => {
    const orders = [1, 2, 3, 4, 5, 6, 7, 8].map((last) =>
      order({ ...five, client: [192, 0, 2, last] }, { sticky_by_network: off }).left.join(),
    );
    expect(new Set(orders).size).toBeGreaterThan(4);
  });
});

test("over 100,000 clients, each answer comes first equally often", () => {
  const clients = 100_000;
  const filters = [...sticky(), { filter: "select_first_n", config: {} }];
  const firsts = countChain({ ...five, filters }, clients, 1, (i) => [10, i >> 16, (i >> 8) & 255, i & 255]);
  expect(firsts.size).toBe(5);
  for (const count of firsts.values()) {
    expect(Math.abs(count - clients / 5)).toBeLessThan(3 * Math.sqrt(clients * 0.2 * 0.8));
  }
});
