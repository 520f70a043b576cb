/** What the `up` filter keeps. */
import { expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "up", config: {} }];
const feeds = { good: { up: true }, bad: { up: "false" }, odd: { up: ["yes"] }, other: { note: "x" } };

const cases: [says: string, chain: Omit<ChainCase, "filters">, left: number[]][] = [
  [
    "keeps those that are up, in order",
    { answers: [{ meta: { up: true } }, { meta: { up: false } }, { meta: { up: 1 } }] },
    [0, 2],
  ],
  [
    "takes 1 and true also as text",
    { answers: [{ meta: { up: "1" } }, { meta: { up: "true" } }, { meta: { up: "0" } }] },
    [0, 1],
  ],
  ["takes unset for not up", { answers: [{}, { meta: { up: true } }, { meta: {} }] }, [1]],
  ["keeps all when none is up", { answers: [{ meta: { up: false } }, {}, { meta: { up: "0" } }] }, [0, 1, 2]],
  [
    "takes values of an odd form for unset",
    { answers: [{ meta: { up: { a: 1 } } }, { meta: { up: [true] } }, { meta: { up: 1 } }] },
    [2],
  ],
  [
    "takes a region's value where the answer has none",
    {
      answers: [{ region: "a" }, { region: "b" }, { region: "a", meta: { up: true } }],
      regions: { a: { meta: { up: false } }, b: { meta: { up: true } } },
    },
    [1, 2],
  ],
  [
    "takes the record's value where neither has one",
    {
      meta: { up: true },
      answers: [{}, { meta: { up: false } }, { region: "a" }],
      regions: { a: { meta: { up: false } } },
    },
    [0],
  ],
  [
    "takes what a feed says",
    { answers: [{ meta: { up: { feed: "good" } } }, { meta: { up: { feed: "bad" } } }, { meta: { up: true } }], feeds },
    [0, 2],
  ],
  [
    "takes a feed without data for unset, whatever the region says",
    {
      meta: { up: true },
      answers: [{ meta: { up: { feed: "other" } } }, { meta: { up: { feed: "none" } } }, {}],
      feeds,
    },
    [2],
  ],
  [
    "takes a feed's value of an odd form for unset",
    { answers: [{ meta: { up: { feed: "odd" } } }, { meta: { up: true } }], feeds },
    [1],
  ],
  ["leaves no answers as they are", { answers: [] }, []],
];

test.each(cases)("%s", (_says, chain, left) => {
  expect(runChain({ ...chain, filters })).toEqual({ left, texts: [], depth: 0 });
});
