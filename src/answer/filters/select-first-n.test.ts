/** The number of answers that `select_first_n` keeps. */
import { expect, test } from "vitest";
import { runChain } from "../../../test/engine/chain.ts";

const cases: [name: string, config: unknown, left: number[]][] = [
  ["one without N", {}, [0]],
  ["a number", { N: 2 }, [0, 1]],
  ["a number as text", { N: "2" }, [0, 1]],
  ["all when there are fewer", { N: 7 }, [0, 1, 2]],
  ["one for text that is not a number", { N: "many" }, [0]],
  ["one for 0", { N: 0 }, [0]],
  ["one for less than 0", { N: -3 }, [0]],
  ["one for a fraction", { N: 1.5 }, [0]],
  ["one for null", { N: null }, [0]],
  ["one without a configuration", undefined, [0]],
];

test.each(cases)("%s", (_name, config, left) => {
  const filters = [{ filter: "select_first_n", config }];
  expect(runChain({ answers: [{}, {}, {}], filters }).left).toEqual(left);
});
