/** Rights, zones and records that permissions open. */
import { describe, expect, test } from "vitest";
import { Warnings } from "../../http/route/warnings.ts";
import { isGranted, mergePermissions, type Permissions, showPermissions } from "./permissions.ts";
import { beyondScope, type Grant, grantOf, opensRecord, opensSettings, opensZone } from "./permit.ts";
import { rightNames, rightPath } from "./rights.ts";

const warnings = new Warnings(true);
const dns = (fields: Record<string, unknown>): Grant => grantOf({ dns: fields });

describe("a right", () => {
  test("is granted when left out", () => expect(isGranted({}, "dns.manage_zones")).toBe(true));
  test("is denied when set to false", () => {
    expect(isGranted({ dns: { manage_zones: false } }, "dns.manage_zones")).toBe(false);
  });
  test("for jobs has the value of manage_jobs when left out", () => {
    expect(isGranted({ monitoring: { manage_jobs: false } }, "monitoring.create_jobs")).toBe(false);
    expect(isGranted({ monitoring: { manage_jobs: true } }, "monitoring.create_jobs")).toBe(true);
    expect(isGranted({ monitoring: { manage_jobs: false, create_jobs: true } }, "monitoring.create_jobs")).toBe(true);
  });
  test("is not granted when left out, if it is manage_auth_keys or over the whole installation", () => {
    expect(isGranted({}, "account.manage_auth_keys")).toBe(false);
    expect(isGranted({ account: { manage_auth_keys: true } }, "account.manage_auth_keys")).toBe(true);
    for (const right of ["operator.view", "operator.manage"] as const) {
      const [, name] = rightPath(right);
      expect([isGranted({}, right), isGranted({ operator: {} }, right)]).toEqual([false, false]);
      expect(isGranted({ operator: { [name]: true } }, right)).toBe(true);
    }
  });
});

describe("the permissions object", () => {
  test("is shown whole, without rights of another edition", () => {
    const shown = showPermissions({}, "managed");
    expect(shown["dns"]).toEqual({
      manage_zones: true,
      view_zones: true,
      zones_allow_by_default: true,
      zones_allow: [],
      zones_deny: [],
      records_allow: [],
      records_deny: [],
    });
    expect(shown["redirects"]).toEqual({ manage_redirects: true });
    expect(shown).not.toHaveProperty("service");
    expect(shown["security"]).toEqual({ manage_global_2fa: true, manage_active_directory: true });
    expect(showPermissions({}, "ddi")["service"]).toEqual({ view_config: true, manage_config: true });
  });

  test("keeps fields that a change omits, and rights of another edition apart from its own", () => {
    const before = mergePermissions(
      {},
      { dns: { manage_zones: false, zones_allow: ["example.com"] } },
      "managed",
      warnings,
    );
    const body = { dns: { view_zones: false }, security: { manage_ddns: false } };
    expect(mergePermissions(before, body, "managed", warnings)).toEqual({
      "": { security: { manage_ddns: false } },
      dns: { manage_zones: false, view_zones: false, zones_allow: ["example.com"] },
    });
  });

  test("resets fields to the default where a change has null", () => {
    const before = { dns: { manage_zones: false, zones_deny: ["a.example"] }, data: { manage_datafeeds: false } };
    const body = { dns: { manage_zones: null, zones_deny: null }, data: null } as unknown as Permissions;
    expect(mergePermissions(before, body, "managed", warnings)).toEqual({});
    expect(mergePermissions(before, { dns: {} }, "managed", warnings)).toEqual(before);
  });

  test("grants the same when it is sent back as shown", () => {
    const stored: Permissions = { monitoring: { manage_jobs: false }, dns: { zones_deny: ["a.example"] } };
    const shown = showPermissions(stored, "managed");
    expect(showPermissions(mergePermissions(stored, shown, "managed", warnings), "managed")).toEqual(shown);
  });

  test.each([
    [{ dns: { manage_zone: false } }, "permissions.dns.manage_zone"],
    [{ dsn: { manage_zones: false } }, "permissions.dsn.manage_zones"],
    [{ dsn: 7 } as unknown as Permissions, "permissions.dsn"],
  ])("warns of a misspelt right, which is kept without effect, and refuses it to strict callers: %j", (body, field) => {
    const found = new Warnings(false);
    const stored = mergePermissions({}, body, "managed", found);
    expect(found.list).toEqual([
      expect.stringMatching(`^${field}: is not known and has no effect; check its spelling`),
    ]);
    expect(rightNames.filter((right) => !isGranted(stored, right))).toEqual(
      rightNames.filter((right) => !isGranted({}, right)),
    );
    const strict = new Warnings(true);
    expect(() => mergePermissions({}, body, "managed", strict)).toThrow(`${field}: is not known`);
    // strict callers may send back what they read
    expect(mergePermissions(stored, body, "managed", strict)).toEqual(stored);
  });

  test("refuses names that can never match", () => {
    expect(() => mergePermissions({}, { dns: { zones_allow: ["a..b"] } }, "managed", warnings)).toThrow(
      "permissions.dns.zones_allow",
    );
  });
});

describe("zones", () => {
  test("are closed by zones_deny, or opened only by zones_allow", () => {
    const open = dns({ zones_deny: ["closed.example"], zones_allow: ["other.example"] });
    expect([opensZone(open, "closed.example"), opensZone(open, "any.example")]).toEqual([false, true]);
    const closed = dns({ zones_allow_by_default: false, zones_allow: ["open.example"], zones_deny: ["open.example"] });
    expect([opensZone(closed, "open.example"), opensZone(closed, "any.example")]).toEqual([true, false]);
  });

  for (const spelling of ["EXAMPLE.com", "example.com.", "exampl\\101.com", "exampl\\069.com"]) {
    test(`${spelling} closes example.com`, () => {
      expect(opensZone(dns({ zones_deny: [spelling] }), "example.com")).toBe(false);
    });
  }

  test("are not covered by an entry for their parent", () => {
    expect(opensZone(dns({ zones_deny: ["example.com"] }), "sub.example.com")).toBe(true);
    expect(opensZone(dns({ zones_allow_by_default: false, zones_allow: ["example.com"] }), "sub.example.com")).toBe(
      false,
    );
  });
});

describe("records", () => {
  const zone = "example.com";
  const rule = { zone, domain: "a.example.com", include_subdomains: true, type: "A" };
  const deny = dns({ records_deny: [rule] });
  const cases: [domain: string, type: string, open: boolean][] = [
    ["a.example.com", "A", false],
    ["a.example.com", "AAAA", true],
    ["a.example.com", "ALIAS", false],
    ["a.example.com", "TXT", true],
    ["a.example.com", "NONE", true],
    ["b.a.example.com", "A", false],
    ["*.a.example.com", "A", false],
    ["xa.example.com", "A", true],
    ["xa.example.com", "ALIAS", true],
    ["x\\.a.example.com", "A", true],
    ["example.com", "A", true],
  ];
  for (const [domain, type, open] of cases) {
    test(`${domain} ${type} is ${open ? "open" : "closed"}`, () => {
      expect(opensRecord(deny, zone, domain, type)).toBe(open);
    });
  }

  test("without include_subdomains a rule matches one name", () => {
    const one = dns({ records_deny: [{ zone, domain: "a.example.com" }] });
    expect([opensRecord(one, zone, "a.example.com", "TXT"), opensRecord(one, zone, "b.a.example.com", "TXT")]).toEqual([
      false,
      true,
    ]);
  });

  test("in a zone that records_allow names, only the named records are open; other zones are not affected", () => {
    const allow = dns({ records_allow: [{ zone, domain: "_acme-challenge.example.com", type: "TXT" }] });
    expect(opensRecord(allow, zone, "_acme-challenge.example.com", "TXT")).toBe(true);
    expect(opensRecord(allow, zone, "www.example.com", "A")).toBe(false);
    expect(opensRecord(allow, "other.example", "www.other.example", "A")).toBe(true);
    expect([opensSettings(allow, zone), opensSettings(allow, "other.example")]).toEqual([false, true]);
  });

  test("records_deny overrides records_allow, and zone rules come first", () => {
    const both = dns({ records_allow: [{ zone }], records_deny: [{ zone, type: "MX" }] });
    expect([opensRecord(both, zone, zone, "A"), opensRecord(both, zone, zone, "MX")]).toEqual([true, false]);
    const closed = dns({ zones_deny: [zone], records_allow: [{ zone }] });
    expect(opensRecord(closed, zone, zone, "A")).toBe(false);
  });

  test("a rule without a zone applies to every zone", () => {
    expect(opensRecord(dns({ records_deny: [{ type: "MX" }] }), "any.example", "any.example", "MX")).toBe(false);
  });

  test("a delegation or DNAME requires access to all names below it", () => {
    const below = dns({ records_deny: [{ zone, domain: "x.sub.example.com" }] });
    for (const type of ["NS", "DNAME"]) {
      expect(opensRecord(below, zone, "sub.example.com", type)).toBe(false);
      expect(opensRecord(below, zone, "other.example.com", type)).toBe(true);
    }
    const above = dns({ records_deny: [{ zone, domain: "sub.example.com", include_subdomains: true, type: "A" }] });
    for (const type of ["NS", "DNAME"]) {
      for (const domain of ["sub.example.com", "x.sub.example.com"]) {
        expect(opensRecord(above, zone, domain, type), `${domain} ${type}`).toBe(false);
      }
    }
    const allow = (include_subdomains: boolean) =>
      dns({ records_allow: [{ zone, domain: "sub.example.com", include_subdomains }] });
    expect(opensRecord(allow(false), zone, "sub.example.com", "NS")).toBe(false);
    expect(opensRecord(allow(true), zone, "sub.example.com", "NS")).toBe(true);
    expect(opensRecord(dns({ records_deny: [{ zone, type: "MX" }] }), zone, "example.com", "NS")).toBe(true);
  });
});

test("a DNAME at the apex requires access to all names below it, but NS does not", () => {
  const zone = "example.com";
  const below = dns({ records_deny: [{ zone, domain: "a.example.com", type: "A" }] });
  expect([opensRecord(below, zone, zone, "DNAME"), opensRecord(below, zone, zone, "NS")]).toEqual([false, true]);
  const apex = dns({ records_allow: [{ zone, domain: zone }] });
  expect([opensRecord(apex, zone, zone, "DNAME"), opensRecord(apex, zone, zone, "NS")]).toEqual([false, true]);
});

test("every right has a group and a name", () => {
  for (const right of rightNames) expect(rightPath(right).join(".")).toBe(right);
});

test("long lists of rules reach no further in another order, but do with a wider or missing rule", () => {
  const rules = Array.from({ length: 2000 }, (_, i) => ({ domain: `n${i}.a.example`, zone: "a.example", type: "A" }));
  const turned = rules.map(({ type, ...rule }) => ({ type: type.toLowerCase(), ...rule })).reverse();
  for (const list of ["records_allow", "records_deny"]) {
    expect(beyondScope(dns({ [list]: rules }), dns({ [list]: turned }))).toEqual([]);
  }
  const wider = [...rules, { domain: "n1.a.example", zone: "a.example" }];
  expect(beyondScope(dns({ records_allow: rules }), dns({ records_allow: wider }))).toEqual(["records_allow"]);
  expect(beyondScope(dns({ records_deny: rules }), dns({ records_deny: rules.slice(1) }))).toEqual(["records_deny"]);
});

test("a rule may name a type by its mnemonic in any case, or by its number", () => {
  for (const type of ["A", "a", "TYPE1", "type1"]) {
    const grant = dns({ records_deny: [{ zone: "a.example", type }] });
    expect(opensRecord(grant, "a.example", "a.example", "A")).toBe(false);
    expect(opensRecord(grant, "a.example", "a.example", "MX")).toBe(true);
  }
});

test("permissions that are read again have the grant that was made before", () => {
  const read = () => ({ dns: { zones_allow_by_default: false, zones_allow: ["a.example"] } });
  expect(grantOf(read())).toBe(grantOf(read()));
  expect(grantOf({ dns: { zones_allow_by_default: false, zones_allow: ["b.example"] } })).not.toBe(grantOf(read()));
});
