/**
 * npm run permissions:mutants [-- --log]: the second implementation of permissions has to find each mutant of the
 * service.
 */

import { findMutants } from "../machine/mutants.ts";
import type { Mutant } from "../machine/patched.ts";

const cases = 1000;
const access = "src/control/access";

const mutants: readonly Mutant[] = [
  {
    what: "rights are given without a check that the caller has them",
    file: `${access}/standing.ts`,
    from: "if (permissions.length === 0) return;",
    to: "if (permissions.length >= 0) return;",
  },
  {
    what: "teams are given any right",
    file: "src/control/people/teams/write.ts",
    from: "assertHeld(caller, { access: [grantOf(permissionsOf(row))] });",
    to: "void [caller, row, assertHeld, grantOf, permissionsOf];",
  },
  {
    what: "own rights count beside those of teams",
    file: `${access}/standing.ts`,
    from: "return { access, allowed, allowedOfTeams };",
    to: "return { access: [...access, grantOf(permissionsOf(holder))], allowed, allowedOfTeams };",
  },
  {
    what: "a right of one team reaches the zones of another",
    file: `${access}/access.ts`,
    from: "access.some((grant) => grant.rights.has(right) && opensZone(grant, zone));",
    to: "holds(access, right) && access.some((grant) => opensZone(grant, zone));",
  },
  {
    what: "zones_deny is ignored",
    file: `${access}/permit.ts`,
    from: "grant.allowByDefault ? !grant.zonesDeny.has(zone) :",
    to: "grant.allowByDefault ? true :",
  },
  {
    what: "records_deny is ignored",
    file: `${access}/permit.ts`,
    from: "if (grant.recordsDeny.some(",
    to: "if (grant.recordsDeny.length > 99 && grant.recordsDeny.some(",
  },
  {
    what: "include_subdomains is ignored",
    file: `${access}/permit.ts`,
    from: "(rule.include_subdomains === true && isBelow(domain, rule.domain));",
    to: "(rule.include_subdomains === null && isBelow(domain, rule.domain));",
  },
  {
    what: "an NS record does not affect the names below it",
    file: `${access}/permit.ts`,
    from: `type === "DNAME" || (type === "NS" && !apex);`,
    to: `type === "DNAME" || (type === "NS" && apex);`,
  },
  {
    what: "a right that must be given explicitly is granted when it is left out",
    file: `${access}/permissions.ts`,
    from: `if (omitted === "denied") return false;`,
    to: `if (omitted === "denied") return true;`,
  },
  {
    what: "an allow list is ignored",
    file: `${access}/admission.ts`,
    from: "if (allowed && !isListed(allowed, address))",
    to: "if (allowed?.length === 0 && !isListed(allowed, address))",
  },
  {
    what: "the last key that manages keys can lose that right",
    file: "src/control/people/members/members.ts",
    from: "if (is < was && ",
    to: "if (is < 0 && ",
  },
  {
    what: "users in sessions need no rights",
    file: `${access}/caller.ts`,
    from: "if (!holds(access, right)) {",
    to: `if (caller.kind !== "user" && !holds(access, right)) {`,
  },
];

await findMutants({
  name: "permissions",
  mutants,
  command: () => ["test/permissions/run.ts", "--cases", `${cases}`, "--accounts", "2", "--differences", "1"],
  finding: (out) => /^case \d+: .*$/m.exec(out)?.[0],
  timeout: 600_000,
  directory: import.meta.dirname,
});
