/** Several permissions objects merged for display, and for a holder that leaves its teams. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { permissions } from "../../../test/service/drawn-permissions.ts";
import { beyond } from "./access.ts";
import { equivalentOf, showTogether } from "./merge.ts";
import { type Permissions, showPermissions } from "./permissions.ts";
import { grantOf } from "./permit.ts";

const equivalent = (...several: Permissions[]) => showPermissions(equivalentOf(several, "managed"), "managed");
const dns = (fields: Record<string, unknown>): Permissions => ({ dns: fields });
const onlyIn = (zones_allow: string[], fields = {}) => dns({ zones_allow_by_default: false, zones_allow, ...fields });

test("the display has each right that any object grants, and the lists of all objects", () => {
  const shown = showTogether(
    [
      onlyIn(["a.example"], { manage_zones: false, records_deny: [{ type: "MX" }] }),
      dns({ view_zones: false, zones_deny: ["b.example"], records_deny: [{ type: "MX" }] }),
    ],
    "managed",
  );
  expect(shown["dns"]).toEqual({
    view_zones: true,
    manage_zones: true,
    zones_allow_by_default: true,
    zones_allow: ["a.example"],
    zones_deny: ["b.example"],
    records_allow: [],
    records_deny: [{ type: "MX" }],
  });
  expect(shown["account"]).toMatchObject({ manage_users: true, manage_auth_keys: false });
});

describe("the equivalent", () => {
  test("of one object is the object itself", () => {
    const one = onlyIn(["a.example"], { records_allow: [{ zone: "a.example", type: "TXT" }] });
    expect(equivalentOf([one], "managed")).toEqual(one);
  });

  test("of two objects, one of which covers the other, is the wider one", () => {
    const [less, more] = [onlyIn(["a.example"], { records_deny: [{ type: "MX" }] }), dns({})];
    expect([equivalentOf([less, more], "managed"), equivalentOf([more, less], "managed")]).toEqual([more, more]);
  });

  test("of several with the same scope has the rights of any", () => {
    const [one, two] = [onlyIn(["a.example"], { manage_zones: false }), onlyIn(["a.example"], { view_zones: false })];
    expect(equivalent(one, two)["dns"]).toMatchObject({ view_zones: true, manage_zones: true });
  });

  test("of several with the same rights has the zones of all", () => {
    expect(equivalent(onlyIn(["a.example"]), onlyIn(["b.example"]))["dns"]).toMatchObject({
      zones_allow_by_default: false,
      zones_allow: ["a.example", "b.example"],
    });
  });

  test("of several without an exact equivalent has the rights that all of them grant", () => {
    const [one, two] = [onlyIn(["a.example"], { manage_zones: false }), onlyIn(["b.example"])];
    expect(equivalent(one, two)["dns"]).toMatchObject({ manage_zones: false, zones_allow: ["a.example", "b.example"] });
  });

  test("of several whose zones cannot be combined is the first with the most rights", () => {
    const several = [dns({ zones_deny: ["a.example"], manage_zones: false }), dns({ zones_deny: ["b.example"] })];
    expect(equivalentOf(several, "managed")).toEqual(several[1]);
  });

  test("never grants more than the originals", () => {
    fc.assert(
      fc.property(fc.array(permissions, { minLength: 1, maxLength: 3 }), (several) => {
        const held = several.map((one) => grantOf(one));
        return beyond(held, [grantOf(equivalentOf(several, "managed"))]).length === 0;
      }),
    );
  });

  test("of no objects grants nothing", () => {
    expect(grantOf(equivalentOf([], "ddi")).rights.size).toBe(0);
  });
});
