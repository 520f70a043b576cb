/** The meaning of rights on the page of an account is that of the service. */
import { describe, expect, test } from "vitest";
import { isGranted, permissionsSchema, withDefault } from "../../../../src/control/access/permissions.ts";
import { rightPath, rightsOf } from "../../../../src/control/access/rights.ts";
import { changesOf, type Given, givenOf, nothingGiven, permissionsOf, withField } from "./given.ts";
import { effectOf, groupsOf } from "./groups.ts";

const rights = rightsOf("managed");
const flags = groupsOf(permissionsSchema, rights).flatMap((group) => group.flags);

test("every right of the service has a row, with its description", () => {
  expect(flags.map(({ group, name }) => `${group}.${name}`).sort()).toEqual([...rights].sort());
  expect(flags.filter(({ about }) => about === "")).toEqual([]);
});

test("while the rights of the service are not known, those of one edition are not shown", () => {
  const shown = groupsOf(permissionsSchema, undefined).flatMap((group) => group.flags);
  expect(shown.map(({ group, name }) => `${group}.${name}`).sort()).toEqual([...rights].sort());
});

describe("whether a right is granted agrees with the service", () => {
  const cases: [string, Given][] = [
    ["nothing is set", nothingGiven],
    ["the others are denied", { ...nothingGiven, denies: true }],
    ["jobs are denied", withField(nothingGiven, "monitoring", "manage_jobs", false)],
    ["jobs are granted, the others denied", { denies: true, groups: { monitoring: { manage_jobs: true } } }],
    ["each is set", { denies: true, groups: { account: { manage_auth_keys: true }, dns: { view_zones: false } } }],
  ];
  test.each(cases)("%s", (_, given) => {
    const stored = withDefault(given.groups, given.denies);
    const asGranted = Object.fromEntries(rights.map((right) => [right, isGranted(stored, right)]));
    const shown = flags.map((flag) => [`${flag.group}.${flag.name}`, effectOf(given, flag).may]);
    expect(Object.fromEntries(shown)).toEqual(asGranted);
  });
});

test("only what differs is sent, and a right that is left out again is sent as null", () => {
  const before = withField(withField(nothingGiven, "dns", "manage_zones", false), "dns", "zones_deny", ["a.example"]);
  const after = withField(withField(before, "dns", "manage_zones", undefined), "data", "manage_datafeeds", true);
  expect(changesOf(before, after)).toEqual({
    count: 2,
    body: { dns: { manage_zones: null }, data: { manage_datafeeds: true } },
  });
  expect(changesOf(before, { ...before, denies: true })).toEqual({ count: 1, body: { default: "deny" } });
  expect(changesOf(before, before).count).toBe(0);
});

test("what was given is read from a reply and its reasons, and makes the same permissions again", () => {
  const reason = (right: string, allowed: boolean, why: string) => ({
    right,
    allowed,
    reasons: [{ team: null, allowed, reason: why }],
  });
  const [first, second] = [rightPath("dns.view_zones"), rightPath("dns.manage_zones")];
  const given = givenOf(
    { dns: { [first[1]]: true, [second[1]]: false, zones_allow_by_default: false, zones_allow: ["a.example"] } },
    {
      rights: [reason("dns.view_zones", true, "left out"), reason("dns.manage_zones", false, "given")],
      scopes: [],
      allow_lists: [],
      calls: null,
    },
  );
  expect(permissionsOf(given)).toEqual({
    dns: { manage_zones: false, zones_allow_by_default: false, zones_allow: ["a.example"] },
  });
});
