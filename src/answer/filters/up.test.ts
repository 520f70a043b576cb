/** The answers that the `up` filter keeps. */
import { expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "up", config: {} }];
const feeds = { good: { up: true }, bad: { up: "false" }, odd: { up: ["yes"] }, other: { note: "x" } };

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  [
    "keeps the answers that are up, in order",
    { answers: [{ meta: { up: true } }, { meta: { up: false } }, { meta: { up: 1 } }] },
    [0, 2],
  ],
  [
    "accepts 1 and true as text",
    { answers: [{ meta: { up: "1" } }, { meta: { up: "true" } }, { meta: { up: "0" } }] },
    [0, 1],
  ],
  ["treats unset as not up", { answers: [{}, { meta: { up: true } }, { meta: {} }] }, [1]],
  ["keeps all when none is up", { answers: [{ meta: { up: false } }, {}, { meta: { up: "0" } }] }, [0, 1, 2]],
  [
    "treats invalid values as unset",
    { answers: [{ meta: { up: { a: 1 } } }, { meta: { up: [true] } }, { meta: { up: 1 } }] },
    [2],
  ],
  [
    "uses the region's value if the answer has none",
    {
      answers: [{ region: "a" }, { region: "b" }, { region: "a", meta: { up: true } }],
      regions: { a: { meta: { up: false } }, b: { meta: { up: true } } },
    },
    [1, 2],
  ],
  [
    "uses the record's value if answer and region have none",
    {
      meta: { up: true },
      answers: [{}, { meta: { up: false } }, { region: "a" }],
      regions: { a: { meta: { up: false } } },
    },
    [0],
  ],
  [
    "uses the value of a feed",
    { answers: [{ meta: { up: { feed: "good" } } }, { meta: { up: { feed: "bad" } } }, { meta: { up: true } }], feeds },
    [0, 2],
  ],
  [
    "treats a feed without data as unset, even if the record has a value",
    {
      meta: { up: true },
      answers: [{ meta: { up: { feed: "other" } } }, { meta: { up: { feed: "none" } } }, {}],
      feeds,
    },
    [2],
  ],
  [
    "treats a feed's invalid value as unset",
    { answers: [{ meta: { up: { feed: "odd" } } }, { meta: { up: true } }], feeds },
    [1],
  ],
  ["accepts no answers", { answers: [] }, []],
];

test.each(cases)("%s", (_name, chain, left) => {
  expect(runChain({ ...chain, filters })).toEqual({ left, texts: [], depth: 0 });
});
