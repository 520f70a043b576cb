/** Presets: permissions for the common uses of a key, which deny everything else. */
import { type Static, Type } from "typebox";
import { apiName, upwardsFrom } from "../../../dns/wire/name.ts";
import { inField, invalidField } from "../../../lib/problem.ts";
import { type Permissions, withDefault } from "../../access/permissions.ts";
import { rightNames, rightPath } from "../../access/rights.ts";
import { maybe } from "../../kit/schema.ts";
import { readDomain } from "../../zones/model/record/rules.ts";

export const presetNames = ["acme", "dyndns", "read-only", "zone"] as const;

export const Preset = Type.Object(
  {
    name: Type.Enum([...presetNames], {
      description:
        "`acme`: the TXT record `_acme-challenge` of one name. `dyndns`: the A and AAAA records of one name. " +
        "`read-only`: reads a zone, or everything. `zone`: reads and changes a zone.",
    }),
    zone: maybe(Type.String({ description: "Required, except for `read-only`." })),
    domain: maybe(
      Type.String({
        description: "The name of the certificate (the zone's by default), or of the host; required for `dyndns`.",
      }),
    ),
  },
  { $id: "ApiKeyPreset" },
);
export type Preset = Static<typeof Preset>;

/** The permissions of a preset. Throws when a name is missing, or does not belong to the preset. */
export function permissionsOfPreset({ name, zone: sent, domain }: Preset): Permissions {
  const zone = sent ? inField("preset.zone", () => apiName(sent)) : undefined;
  if (zone === undefined && name !== "read-only") throw invalidField("preset.zone", `is required for ${name}`);
  if (domain && (name === "read-only" || name === "zone")) {
    throw invalidField("preset.domain", `does not apply to ${name}, which is for whole zones`);
  }
  if (zone === undefined) return withDefault(viewing(), true);
  const dns = { view_zones: true, zones_allow_by_default: false, zones_allow: [zone] };
  if (name === "read-only") return withDefault({ dns }, true);
  if (name === "zone") return withDefault({ dns: { ...dns, manage_zones: true } }, true);
  if (name === "dyndns" && !domain) throw invalidField("preset.domain", "is required for dyndns");
  // a certificate for *.example.com is proved at _acme-challenge.example.com
  const host = inField("preset.domain", () => readDomain((domain || zone).replace(/^\*\./, ""), zone));
  return withDefault(
    { dns: { ...dns, manage_zones: true, ...(name === "acme" ? challenge(host, zone) : addresses(host, zone)) } },
    true,
  );
}

/** Some clients look for their zone from the host's name upwards, and stop at a refusal: those names are not refused. */
const challenge = (host: string, zone: string) => ({
  zones_allow: upwardsFrom(host).filter((name) => name.length >= zone.length),
  records_allow: [{ domain: `_acme-challenge.${host}`, type: "TXT" }],
});

const addresses = (domain: string, zone: string) => ({
  records_allow: ["A", "AAAA"].map((type) => ({ zone, domain, type })),
});

/** Every right that only reads. */
function viewing(): Permissions {
  const shown: Record<string, Record<string, boolean>> = {};
  for (const [group, name] of rightNames.map(rightPath)) {
    if (name.startsWith("view_")) shown[group] = { ...shown[group], [name]: true };
  }
  return shown;
}
