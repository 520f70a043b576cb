/** The TXT records that the `additional_metadata` filter adds. */
import { expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";

const filters = [{ filter: "additional_metadata", config: {} }];
const a = (additional_metadata: unknown) => ({ meta: { additional_metadata } });
const feeds = { some: { additional_metadata: [{ from: "feed" }] }, odd: { additional_metadata: "text" } };

const cases: [name: string, chain: Omit<ChainCase, "filters">, texts: string[]][] = [
  ["one text for an answer", { answers: [a([{ host: "a" }])] }, ['[{"host":"a"}]']],
  ["texts in the order of the answers", { answers: [a([{ n: 1 }]), a([{ n: 2 }])] }, ['[{"n":1}]', '[{"n":2}]']],
  [
    "keys in the order in which they were sent",
    { answers: [a([{ z: 1, a: [true, null] }])] },
    ['[{"z":1,"a":[true,null]}]'],
  ],
  ["nothing for answers without the key", { answers: [{}, a([{ n: 1 }]), {}] }, ['[{"n":1}]']],
  ["nothing if no answer has the key", { answers: [{}, {}] }, []],
  ["nothing for invalid values", { answers: [a("x"), a({ n: 1 }), a([]), a([1]), a([{}, {}])] }, []],
  ["nothing for values that are too long", { answers: [a([{ long: "x".repeat(5000) }])] }, []],
  ["the region's value", { answers: [{ region: "a" }], regions: { a: a([{ r: 1 }]) } }, ['[{"r":1}]']],
  [
    "the record's value for each answer",
    { ...a([{ r: 1 }]), answers: [{}, a([{ r: 2 }])] },
    ['[{"r":1}]', '[{"r":2}]'],
  ],
  ["equal texts once", { ...a([{ r: 1 }]), answers: [{}, a([{ r: 2 }]), {}] }, ['[{"r":1}]', '[{"r":2}]']],
  [
    "valid values of feeds",
    { answers: ["some", "odd", "none"].map((feed) => a({ feed })), feeds },
    ['[{"from":"feed"}]'],
  ],
  ["nothing if there are no answers", { answers: [] }, []],
];
test.each(cases)("adds %s", (_name, chain, texts) => {
  const { answers } = chain;
  expect(runChain({ ...chain, filters })).toEqual({ left: [...answers.keys()], texts, depth: 0 });
});

test("answers that earlier filters removed have no text", () => {
  const chain = [{ filter: "select_first_n", config: { N: 1 } }, ...filters];
  expect(runChain({ answers: [a([{ n: 1 }]), a([{ n: 2 }])], filters: chain }).texts).toEqual(['[{"n":1}]']);
});

test("a long text is split into strings of at most 255 octets", () => {
  const { texts } = runChain({ answers: [a([{ long: "x".repeat(600) }])], filters });
  const json = JSON.stringify([{ long: "x".repeat(600) }]);
  // runChain removes the first length octet
  expect(texts[0]!.slice(0, 255)).toBe(json.slice(0, 255));
  expect(texts[0]!.codePointAt(255)).toBe(0xfffd);
  expect(texts[0]!.length).toBe(json.length + 2);
});
