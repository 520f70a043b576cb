/** The policies for a record whose answers are all down, and the limit on what feeds may remove. */
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
    ["no policy: all stay", undefined, [0, 1, 2, 3]],
    ["null: all stay", null, [0, 1, 2, 3]],
    ["an invalid form: all stay", ["nothing"], [0, 1, 2, 3]],
    ["an unknown policy: all stay", { policy: "everything" }, [0, 1, 2, 3]],
    ["serve_all: all stay", { policy: "serve_all" }, [0, 1, 2, 3]],
    ["last_healthy: the answer that went down last", { policy: "last_healthy" }, [1]],
    ["group: the answers of the region", { policy: "group", group: "spare" }, [1, 3]],
    ["group: all stay if there is no such region", { policy: "group", group: "none" }, [0, 1, 2, 3]],
    ["group: all stay if no group is named", { policy: "group" }, [0, 1, 2, 3]],
    ["nothing: no answer is left", { policy: "nothing" }, []],
  ];
  test.each(cases)("%s", (_says, all_down, wanted) => {
    expect(left({ answers, filters: [up], all_down, feeds, pushedAt })).toEqual(wanted);
  });

  test.each(["serve_all", "last_healthy", "group", "nothing"])("%s has no effect while an answer is up", (policy) => {
    const some = [...answers, fed("good")];
    expect(left({ answers: some, filters: [up], all_down: { policy, group: "spare" }, feeds })).toEqual([4]);
  });

  test("applies to the answers that reach the filter; serve_all also selects answers that earlier filters removed", () => {
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

  test("last_healthy without a feed keeps all answers", () => {
    expect(left({ answers: [down(), down()], filters: [up], all_down: { policy: "last_healthy" } })).toEqual([0, 1]);
  });

  test("last_healthy keeps several answers that went down last, at the same time", () => {
    const same = { ...pushedAt, c: 3000 };
    expect(left({ answers, filters: [up], all_down: { policy: "last_healthy" }, feeds, pushedAt: same })).toEqual([
      1, 2,
    ]);
  });
});

describe("live_guard", () => {
  const answers = [fed("a"), fed("good"), fed("b"), fed("good")];
  const cases: [says: string, live_guard: unknown, left: number[]][] = [
    ["no guard: all answers that are down are removed", undefined, [1, 3]],
    ["at the share: all answers that are down are removed", 0.5, [1, 3]],
    ["above the share: no answer is removed, and the order stays", 0.49, [0, 1, 2, 3]],
    ["0: feeds remove nothing", 0, [0, 1, 2, 3]],
    ["1: feeds may remove all", 1, [1, 3]],
    ["an invalid form: no guard", "0.1", [1, 3]],
    ["below 0: no guard", -1, [1, 3]],
    ["NaN: no guard", Number.NaN, [1, 3]],
  ];
  test.each(cases)("%s", (_says, live_guard, wanted) => {
    expect(left({ answers, filters: [up], live_guard, feeds })).toEqual(wanted);
  });

  test("does not restore answers that are stored as down", () => {
    const mixed = [fed("a"), down(), fed("good"), fed("b")];
    expect(left({ answers: mixed, filters: [up], live_guard: 0.25, feeds })).toEqual([0, 2, 3]);
  });

  test("limits the removals of all filters together", () => {
    const loads = { a: { up: false, loadavg: 0 }, b: { up: true, loadavg: 99 }, c: { up: true, loadavg: 0 } };
    const shed = { filter: "shed_load", config: { metric: "loadavg" } };
    const answer = (feed: string) => ({
      meta: { up: { feed }, loadavg: { feed }, low_watermark: 1, high_watermark: 2 },
    });
    const chain = { answers: [answer("a"), answer("b"), answer("c"), answer("c")], filters: [up, shed], feeds: loads };
    expect(left({ ...chain, live_guard: 0.5 })).toEqual([2, 3]);
    expect(left({ ...chain, live_guard: 0.25 })).toEqual([1, 2, 3]);
  });

  test("does not affect filters that read no feed", () => {
    const first = { filter: "select_first_n", config: { N: 1 } };
    expect(left({ answers, filters: [first, up], live_guard: 0.1, feeds })).toEqual([0]);
  });
});
