/** The registries of networks, filters, metadata keys and codes of places, which need no store. */
import { Type } from "typebox";
import type { Filter } from "../../answer/filters/contract/filter.ts";
import { filters } from "../../answer/filters/index.ts";
import { metaKeys } from "../../answer/model/meta.ts";
import { countries, subdivisions } from "../../answer/model/places.ts";
import { listFields } from "../../lib/fields.ts";
import { ConfigField, names } from "../kit/schema.ts";
import { route } from "../write/route.ts";
import { isListed } from "../zones/model/record/steering.ts";

const MetaType = Type.Object({
  shortdesc: Type.String(),
  category: Type.String(),
  desc: Type.String({ description: "HTML." }),
});

const FilterType = Type.Object({
  shortdesc: Type.String(),
  desc: Type.String({ description: "HTML." }),
  tier: Type.Integer({ description: "The tier of records with the filter: 2 or 3." }),
  inputs: names("Metadata keys that the filter reads."),
  config: Type.Record(Type.String(), ConfigField),
  rectypes: Type.Optional(names("Record types that may have the filter; all types if absent.")),
});

export const registryRoutes = [
  route({
    method: "GET",
    path: "/v1/networks",
    tag: "Zones",
    summary: "List networks",
    desc: "Sets of name servers that zones can be placed on.",
    right: "any",
    reply: Type.Array(Type.Object({ network_id: Type.Integer(), name: Type.String(), label: Type.String() })),
    run: async (_, { settings }) => [...settings.networks],
  }),
  route({
    method: "GET",
    path: "/v1/filtertypes",
    tag: "Records",
    summary: "List filters",
    desc: "All filters that a filter chain can contain, by id.",
    right: "any",
    reply: Type.Record(Type.String(), FilterType),
    run: async (_, { settings: { edition } }) =>
      Object.fromEntries(
        filters.filter((filter) => isListed(filter, edition)).map((filter) => [filter.id, typeOf(filter)]),
      ),
  }),
  route({
    method: "GET",
    path: "/v1/metatypes",
    tag: "Records",
    summary: "List metadata keys",
    right: "any",
    reply: Type.Record(Type.String(), MetaType),
    run: async () => metaKeys,
  }),
  route({
    method: "GET",
    path: "/v1/metatypes/geo",
    tag: "Records",
    summary: "List codes of countries and subdivisions",
    right: "any",
    reply: Type.Object({
      subdivisions: Type.Record(Type.String(), names("ISO 3166-2 codes without the country.")),
      countries: names("ISO 3166-1 codes."),
    }),
    run: async () => ({ subdivisions: Object.fromEntries(subdivisions()), countries: countries() }),
  }),
];

const typeOf = ({ shortdesc, desc, tier, inputs, config, rectypes }: Filter) => ({
  shortdesc,
  desc,
  tier,
  inputs,
  config: listFields(config),
  ...(rectypes ? { rectypes } : {}),
});
