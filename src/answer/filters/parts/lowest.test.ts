/** The order of answers after the filters `priority` and `cost`, and the answers kept with `eliminate`. */
import { describe, expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../../test/engine/chain.ts";

type Row = [name: string, chain: Omit<ChainCase, "filters">, sorted: number[], kept: number[]];

describe.each(["priority", "cost"])("%s", (id) => {
  const p = (value: unknown) => ({ meta: { [id]: value } });
  const feeds = { low: { [id]: "1" }, high: { [id]: 90 }, odd: { [id]: {} } };

  const cases: Row[] = [
    ["lowest first", { answers: [p(3), p(1), p(2)] }, [1, 2, 0], [1]],
    ["numbers as text", { answers: [p("10"), p("9")] }, [1, 0], [1]],
    ["0 is lower than 1", { answers: [p(1), p(0)] }, [1, 0], [1]],
    ["equal values stay in order", { answers: [p(2), p(1), p(2), p(1)] }, [1, 3, 0, 2], [1, 3]],
    ["unset comes last", { answers: [{}, p(7), {}, p(5)] }, [3, 1, 0, 2], [3]],
    ["invalid values are unset", { answers: [p("first"), p([1]), p({ a: 1 }), p(8)] }, [3, 0, 1, 2], [3]],
    ["all unset", { answers: [{}, {}, {}] }, [0, 1, 2], [0, 1, 2]],
    [
      "the region's value if the answer has none",
      { answers: [p(2), { region: "a" }], regions: { a: { meta: { [id]: 1 } } } },
      [1, 0],
      [1],
    ],
    [
      "the record's value if answer and region have none",
      { meta: { [id]: 4 }, answers: [p(5), {}, p(3)] },
      [2, 1, 0],
      [2],
    ],
    ["values of feeds", { answers: [p({ feed: "high" }), p({ feed: "low" }), p(2)], feeds }, [1, 2, 0], [1]],
    [
      "invalid or missing values of feeds are unset",
      { answers: [p({ feed: "odd" }), p({ feed: "none" }), p(2)], feeds },
      [2, 0, 1],
      [2],
    ],
    ["all values of feeds missing", { answers: [p({ feed: "odd" }), p({ feed: "none" })], feeds }, [0, 1], [0, 1]],
    ["no answers", { answers: [] }, [], []],
  ];

  describe.each(cases)("%s", (_name, chain, sorted, kept) => {
    test.each([undefined, {}, { eliminate: false }, { eliminate: "0" }, { eliminate: 0 }, { eliminate: "maybe" }])(
      "sorted with %j",
      (config) => expect(runChain({ ...chain, filters: [{ filter: id, config }] }).left).toEqual(sorted),
    );
    test.each([{ eliminate: true }, { eliminate: "1" }, { eliminate: 1 }, { eliminate: "true" }])(
      "kept with %j",
      (config) => {
        expect(runChain({ ...chain, filters: [{ filter: id, config }] }).left).toEqual(kept);
      },
    );
  });

  test("the first ranks are right when only those are kept", () => {
    const answers = [9, 3, 7, 1, 5, 3].map(p);
    const filters = [{ filter: id }, { filter: "select_first_n", config: { N: 3 } }];
    expect(runChain({ answers, filters }).left).toEqual([3, 1, 5]);
  });
});
