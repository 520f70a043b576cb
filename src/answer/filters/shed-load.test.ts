/** The answers that the `shed_load` filter keeps. */
import { describe, expect, test } from "vitest";
import { type ChainCase, countChain, runChain } from "../../../test/engine/chain.ts";

const shed = (config: unknown = { metric: "loadavg" }) => [{ filter: "shed_load", config }];
const a = (loadavg: unknown, low_watermark: unknown = 2, high_watermark: unknown = 4) => ({
  meta: { loadavg, low_watermark, high_watermark },
});
const feeds = { busy: { loadavg: "9" }, idle: { loadavg: 0 }, capital: { loadAvg: 9 }, odd: { loadavg: ["9"] } };

const cases: [name: string, chain: Omit<ChainCase, "filters">, left: number[], config?: unknown][] = [
  ["keeps loads up to the low mark, drops loads above the high mark", { answers: [a(1), a(5), a(2)] }, [0, 2]],
  ["accepts numbers as text", { answers: [a("1", "2", "4"), a("4.5", "2", "4")] }, [0]],
  ["keeps answers without a load", { answers: [a(undefined), a("much"), a(5)] }, [0, 1]],
  ["keeps answers without a high mark", { answers: [a(99, 2, null), a(5)] }, [0]],
  ["without a low mark, only the high mark decides", { answers: [a(3.9, null), a(4, null), a(4.1, null)] }, [0, 1]],
  ["keeps loads up to the low mark, even if the high mark is lower", { answers: [a(3, 5, 1), a(6, 5, 1)] }, [0]],
  ["equal marks are one limit", { answers: [a(2, 2, 2), a(2.1, 2, 2)] }, [0]],
  ["may remove all answers", { answers: [a(5), a(6)] }, []],
  [
    "accepts both spellings of loadavg",
    { answers: [{ meta: { loadAvg: 9, high_watermark: 4 } }, a(1)] },
    [1],
    { metric: "loadAvg" },
  ],
  [
    "uses marks of regions and of the record",
    {
      meta: { high_watermark: 4 },
      answers: [{ meta: { loadavg: 5 } }, { meta: { loadavg: 5 }, region: "big" }],
      regions: { big: { meta: { high_watermark: 10, low_watermark: 8 } } },
    },
    [1],
  ],
  [
    "uses the load of a feed, in both spellings",
    { answers: ["busy", "idle", "capital", "odd", "none"].map((feed) => a({ feed })), feeds },
    [1, 3, 4],
  ],
  [
    "uses connections",
    {
      answers: [
        { meta: { connections: 9, loadavg: 0, high_watermark: 4 } },
        { meta: { connections: 1, high_watermark: 4 } },
      ],
    },
    [1],
    { metric: "connections" },
  ],
  [
    "uses requests",
    { answers: [{ meta: { requests: "9", high_watermark: 4 } }, { meta: { connections: 9, high_watermark: 4 } }] },
    [1],
    { metric: "requests" },
  ],
  ["uses loadavg if the metric is invalid", { answers: [a(5), a(1)] }, [1], { metric: "weight" }],
  ["accepts no answers", { answers: [] }, []],
];
test.each(cases)("%s", (_name, chain, left, config) => {
  expect(runChain({ ...chain, filters: shed(config) })).toEqual({ left, texts: [], depth: 0 });
});

describe("100,000 draws between the marks", () => {
  const draws = 100_000;
  test.each([
    [2.2, 0.1],
    [3, 0.5],
    [3.8, 0.9],
    [4, 1],
  ])("a load of %d is shed with a probability of %d", (load, share) => {
    const kept = countChain({ answers: [a(load)], filters: shed() }, draws, 1).get("0") ?? 0;
    const sigma = Math.sqrt(draws * share * (1 - share));
    expect(Math.abs(draws - kept - draws * share)).toBeLessThanOrEqual(3 * sigma);
  });
});
