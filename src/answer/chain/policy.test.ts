/** What is served when no answer is up, and how much live data may remove. */
import { describe, expect, test } from "vitest";
import { type ChainCase, runChain } from "../../../test/engine/chain.ts";

const up = { filter: "up", config: {} };
const fence = { filter: "geofence_country", config: {} };
const feeds = { a: { up: false }, b: { up: false }, c: { up: false }, good: { up: true } };
const pushedAt = { a: 1000, b: 3000, c: 2000 };
const fed = (feed: string, more: object = {}) => ({ meta: { up: { feed } }, ...more });
const down = (more: object = {}) => ({ meta: { up: false }, ...more });
const left = (chain: ChainCase) => runChain(chain).left;

describe("all_down", () => {
  const answers = [fed("a"), fed("b", { region: "spare" }), fed("c"), down({ region: "spare" })];
  const cases: [says: string, all_down: unknown, left: number[]][] = [
    ["left out: all go on", undefined, [0, 1, 2, 3]],
    ["null: all go on", null, [0, 1, 2, 3]],
    ["of an odd form: all go on", ["nothing"], [0, 1, 2, 3]],
    ["with a policy that is not known: all go on", { policy: "everything" }, [0, 1, 2, 3]],
    ["serve_all: all go on", { policy: "serve_all" }, [0, 1, 2, 3]],
    ["last_healthy: the one that went down last", { policy: "last_healthy" }, [1]],
    ["group: the answers of the region", { policy: "group", group: "spare" }, [1, 3]],
    ["group: all go on when there is no such region", { policy: "group", group: "none" }, [0, 1, 2, 3]],
    ["group: all go on when none is named", { policy: "group" }, [0, 1, 2, 3]],
    ["nothing: nothing is left", { policy: "nothing" }, []],
  ];
  test.each(cases)("%s", (_says, all_down, wanted) => {
    expect(left({ answers, filters: [up], all_down, feeds, pushedAt })).toEqual(wanted);
  });

  test.each(["serve_all", "last_healthy", "group", "nothing"])("%s has no say while an answer is up", (policy) => {
    const some = [...answers, fed("good")];
    expect(left({ answers: some, filters: [up], all_down: { policy, group: "spare" }, feeds })).toEqual([4]);
  });

  test("looks at the answers that reach the filter, and serve_all brings back the others too", () => {
    const tagged = [
      { meta: { up: false, country: ["DE"] } },
      { meta: { up: true, country: ["FR"] } },
      { meta: { up: false, country: ["DE"] } },
    ];
    const chain = { answers: tagged, filters: [fence, up], place: { country: "DE" } };
    expect(left(chain)).toEqual([0, 2]);
    expect(left({ ...chain, all_down: { policy: "serve_all" } })).toEqual([0, 1, 2]);
    expect(left({ ...chain, all_down: { policy: "nothing" } })).toEqual([]);
  });

  test("last_healthy knows only what feeds say: without one all go on", () => {
    expect(left({ answers: [down(), down()], filters: [up], all_down: { policy: "last_healthy" } })).toEqual([0, 1]);
  });

  test("last_healthy leaves those that went down together", () => {
    const same = { ...pushedAt, c: 3000 };
    expect(left({ answers, filters: [up], all_down: { policy: "last_healthy" }, feeds, pushedAt: same })).toEqual([
      1, 2,
    ]);
  });
});

describe("live_guard", () => {
  const answers = [fed("a"), fed("good"), fed("b"), fed("good")];
  const cases: [says: string, live_guard: unknown, left: number[]][] = [
    ["left out: whatever is down goes", undefined, [1, 3]],
    ["at the share: whatever is down goes", 0.5, [1, 3]],
    ["above the share: nothing that a feed calls down goes, all in their order", 0.49, [0, 1, 2, 3]],
    ["0: live data remove nothing", 0, [0, 1, 2, 3]],
    ["1: live data may remove all", 1, [1, 3]],
    ["of an odd form: there is none", "0.1", [1, 3]],
    ["below 0: there is none", -1, [1, 3]],
    ["NaN: there is none", Number.NaN, [1, 3]],
  ];
  test.each(cases)("%s", (_says, live_guard, wanted) => {
    expect(left({ answers, filters: [up], live_guard, feeds })).toEqual(wanted);
  });

  test("does not bring back what was stored as down", () => {
    const mixed = [fed("a"), down(), fed("good"), fed("b")];
    expect(left({ answers: mixed, filters: [up], live_guard: 0.25, feeds })).toEqual([0, 2, 3]);
  });

  test("counts over all filters of the chain", () => {
    const loads = { a: { up: false, loadavg: 0 }, b: { up: true, loadavg: 99 }, c: { up: true, loadavg: 0 } };
    const shed = { filter: "shed_load", config: { metric: "loadavg" } };
    const answer = (feed: string) => ({
      meta: { up: { feed }, loadavg: { feed }, low_watermark: 1, high_watermark: 2 },
    });
    const chain = { answers: [answer("a"), answer("b"), answer("c"), answer("c")], filters: [up, shed], feeds: loads };
    expect(left({ ...chain, live_guard: 0.5 })).toEqual([2, 3]);
    expect(left({ ...chain, live_guard: 0.25 })).toEqual([1, 2, 3]);
  });

  test("leaves filters alone that read no feed", () => {
    const first = { filter: "select_first_n", config: { N: 1 } };
    expect(left({ answers, filters: [first, up], live_guard: 0.1, feeds })).toEqual([0]);
  });
});
