/** The fields of a permissions object that are not rights. */
import { type TSchema, Type } from "typebox";
import { maybe } from "../../kit/schema.ts";

const names = Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 10_000 });
const recordRules = Type.Array(
  Type.Object({
    zone: maybe(Type.String()),
    domain: maybe(Type.String()),
    include_subdomains: maybe(Type.Boolean()),
    type: maybe(Type.String()),
  }),
  { maxItems: 10_000 },
);
const tagRules = Type.Array(Type.Object({ name: Type.String(), value: maybe(Type.String()) }), { maxItems: 10_000 });

/** The fields with the values that they have when omitted. */
export const lists: readonly { group: string; name: string; schema: TSchema; omitted: unknown; desc: string }[] = [
  {
    group: "dns",
    name: "zones_allow_by_default",
    schema: Type.Boolean(),
    omitted: true,
    desc: "If true, all zones are open except those in zones_deny; if false, only those in zones_allow are open.",
  },
  { group: "dns", name: "zones_allow", schema: names, omitted: [], desc: "Zones that are open." },
  { group: "dns", name: "zones_deny", schema: names, omitted: [], desc: "Zones that are closed." },
  { group: "dns", name: "records_allow", schema: recordRules, omitted: [], desc: "The only records open in a zone." },
  { group: "dns", name: "records_deny", schema: recordRules, omitted: [], desc: "Records that are closed." },
  ...["dhcp", "ipam"].flatMap((group) => [
    { group, name: "tags_allow", schema: tagRules, omitted: [], desc: "Tags that open an object." },
    { group, name: "tags_deny", schema: tagRules, omitted: [], desc: "Tags that close an object." },
  ]),
];
