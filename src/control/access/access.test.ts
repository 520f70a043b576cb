/** Access through several grants, and the rule that callers cannot give permissions that they lack. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { permissions, places, zones } from "../../../test/service/drawn-permissions.ts";
import {
  type Access,
  beyond,
  holds,
  reachesAll,
  reachesEverything,
  reachesRecord,
  reachesSettings,
  reachesZone,
} from "./access.ts";
import { grantOf } from "./permit.ts";
import { rightNames } from "./rights.ts";

const onlyIn = (zone: string, fields: Record<string, unknown> = {}) =>
  grantOf({ dns: { zones_allow_by_default: false, zones_allow: [zone], ...fields } });

describe("with two teams", () => {
  const reader = onlyIn("a.example", { manage_zones: false });
  const writer = onlyIn("b.example", { view_zones: false });
  const both: Access = [reader, writer];

  test("neither team's right reaches the other team's zones", () => {
    const reached = (["dns.view_zones", "dns.manage_zones"] as const).flatMap((right) =>
      ["a.example", "b.example"].map((zone) => [
        reachesZone(both, right, zone),
        reachesRecord(both, right, zone, zone, "A"),
        reachesSettings(both, right, zone),
        reachesAll(both, right, zone),
      ]),
    );
    expect(reached).toEqual([true, false, false, true].map((open) => Array(4).fill(open)));
    expect(["dns.view_zones", "dns.manage_zones"].every((right) => holds(both, right as "dns.view_zones"))).toBe(true);
  });

  test("a record closed by one team is open if the other opens it", () => {
    const denying = grantOf({ dns: { records_deny: [{ zone: "a.example", type: "MX" }] } });
    const place = ["dns.view_zones", "a.example", "a.example", "MX"] as const;
    expect([reachesRecord([denying], ...place), reachesRecord([denying, reader], ...place)]).toEqual([false, true]);
    expect(reachesAll([denying, reader], "dns.view_zones", "a.example")).toBe(true);
    expect(reachesEverything([denying, reader], "dns.view_zones")).toBe(false);
    expect(reachesEverything([denying, grantOf({})], "dns.view_zones")).toBe(true);
  });

  test("a caller in both teams may give the zones of both in one grant, if both teams grant all the given rights", () => {
    const wanted = grantOf({ dns: { zones_allow_by_default: false, zones_allow: ["a.example", "b.example"] } });
    expect(beyond([onlyIn("a.example"), onlyIn("b.example")], [wanted])).toEqual([]);
    expect(beyond(both, [wanted])).toEqual(["zones_allow"]);
    expect(beyond([reader], [wanted])).toEqual(["manage_zones", "zones_allow"]);
  });
});

describe("given permissions", () => {
  test("that the giver lacks are named without their group", () => {
    const grant = grantOf({ ipam: { manage_ipam: false }, dns: { manage_zones: false } });
    expect(beyond([grant], [grantOf({})])).toEqual(["manage_zones", "manage_ipam"]);
    expect(beyond([grant], [grantOf({ ipam: { manage_ipam: false }, dns: { manage_zones: false } })])).toEqual([]);
  });

  const access = fc
    .array(permissions, { minLength: 1, maxLength: 3 })
    .map((several): Access => several.map((one) => grantOf(one)));

  test("never reach a right, zone or record that the giver lacks", () => {
    fc.assert(
      fc.property(access, access, (held, wanted) => {
        fc.pre(beyond(held, wanted).length === 0);
        for (const right of ["account.manage_users", "dns.manage_zones", "dns.view_zones"] as const) {
          const escapes = [
            ...zones.filter((zone) => reachesZone(wanted, right, zone) && !reachesZone(held, right, zone)),
            ...zones.filter((zone) => reachesSettings(wanted, right, zone) && !reachesSettings(held, right, zone)),
            ...places.filter(
              (place) => reachesRecord(wanted, right, ...place) && !reachesRecord(held, right, ...place),
            ),
          ];
          expect(escapes).toEqual([]);
        }
        expect(rightNames.filter((right) => holds(wanted, right) && !holds(held, right))).toEqual([]);
      }),
      runs(300),
    );
  });

  test("may be anything if the giver holds everything", () => {
    const operator = { view: true, manage: true };
    const full = [grantOf({ account: { manage_auth_keys: true }, operator })];
    fc.assert(fc.property(access, (given) => beyond(full, given).length === 0));
  });

  test("may always be the giver's own", () => {
    fc.assert(fc.property(access, (held) => beyond(held, held).length === 0));
  });
});
