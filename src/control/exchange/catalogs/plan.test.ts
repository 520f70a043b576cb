/** Decides which zones are made, changed and removed for a catalog, and which removals wait to be confirmed. */
import { describe, expect, test } from "vitest";
import { type Guard, heldBy, type MadeZone, planFor } from "./plan.ts";

const listed = (zone: string, rest = {}) => ({ zone, node: `n-${zone}`, groups: ["g"], coo: null, ...rest });
const made = (zone: string, rest: Partial<MadeZone> = {}): MadeZone => ({
  ...listed(zone),
  hasSameServers: true,
  ...rest,
});
const names = (zones: readonly { readonly zone: string }[]) => zones.map(({ zone }) => zone);

test("new zones are made, missing ones removed, relabelled ones renewed, and equal ones left unchanged", () => {
  const plan = planFor(
    [listed("new"), listed("same"), listed("groups"), listed("coo", { coo: "x" }), listed("servers"), listed("label")],
    [
      ...[made("same"), made("groups", { groups: [] }), made("coo"), made("servers", { hasSameServers: false })],
      ...[made("label", { node: "other" }), made("gone")],
    ],
  );
  expect(names(plan.make)).toEqual(["new"]);
  expect(names(plan.renew)).toEqual(["label"]);
  expect(names(plan.change)).toEqual(["groups", "coo", "servers"]);
  expect(plan.remove).toEqual(["gone"]);
});

describe("removals of a catalog's zones", () => {
  const usual: Guard = { share: 0.3, recent: 0, before: null, confirmed: undefined };
  const held = (gone: number, of: number, rest: Partial<Guard> = {}) => {
    const zones = Array.from({ length: of }, (_, i) => made(`z${i}`));
    return heldBy(planFor(zones.slice(gone), zones), of, { ...usual, ...rest });
  };
  const cases: readonly [string, number, number, Partial<Guard>, boolean][] = [
    ["none", 0, 5, {}, false],
    ["the only one", 1, 1, {}, false],
    ["one of several", 1, 2, {}, false],
    ["all", 2, 2, {}, true],
    ["two, more than the share", 2, 3, {}, false],
    ["as many as the share allows", 3, 10, {}, false],
    ["more than the share allows", 4, 10, {}, true],
    ["a few at a time, together more than the share allows", 1, 7, { recent: 3 }, true],
    ["all but one, if any share may be removed", 9, 10, { share: 1 }, false],
    ["all, if any share may be removed", 10, 10, { share: 1 }, true],
    ["few, after many were held", 1, 10, { before: { digest: "x", count: 9, zones: [] } }, true],
  ];

  test.each(cases)("%s: %i of %i zones with %j, held is %s", (_, gone, of, rest, isHeld) => {
    expect(held(gone, of, rest) !== null).toBe(isHeld);
  });

  test("renewals count as removals, because they remove data too", () => {
    const zones = Array.from({ length: 10 }, (_, i) => made(`z${i}`));
    const relabelled = zones.map((zone) => ({ ...zone, node: "other" }));
    expect(heldBy(planFor(relabelled, zones), 10, usual)).toMatchObject({ count: 10 });
  });

  test("only confirmed removals are carried out", () => {
    const digest = held(10, 10)!.digest;
    expect(held(10, 10, { confirmed: digest })).toBeNull();
    expect(held(9, 10, { confirmed: digest })).not.toBeNull();
  });
});
