/** Random permissions objects for a few zones and records. */
import fc from "fast-check";

export const zones = ["a.example", "b.example", "c.example"];
const domains = zones.flatMap((zone) => [zone, `x.${zone}`, `y.x.${zone}`]);
/** Records in these zones. */
export const places = zones.flatMap((zone) =>
  domains
    .filter((domain) => domain.endsWith(zone))
    .flatMap((domain) => ["A", "NS", "TXT", "MX"].map((type) => [zone, domain, type] as const)),
);
const rule = fc.record(
  {
    zone: fc.constantFrom(...zones),
    domain: fc.constantFrom(...domains),
    include_subdomains: fc.boolean(),
    type: fc.constantFrom("A", "NS", "TXT"),
  },
  { requiredKeys: [] },
);
export const permissions = fc.record({
  dns: fc.record(
    {
      manage_zones: fc.boolean(),
      zones_allow_by_default: fc.boolean(),
      zones_allow: fc.subarray(zones),
      zones_deny: fc.subarray(zones),
      records_allow: fc.array(rule, { maxLength: 2 }),
      records_deny: fc.array(rule, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
  account: fc.record({ manage_users: fc.boolean(), manage_auth_keys: fc.boolean() }, { requiredKeys: [] }),
  operator: fc.record({ view: fc.boolean(), manage: fc.boolean() }, { requiredKeys: [] }),
});
