/** The registries of networks, filters, metadata keys and codes of places, which need no store. */
import { Type } from "typebox";
import type { Filter } from "../../answer/filters/contract/filter.ts";
import { filters } from "../../answer/filters/index.ts";
import { type MetaKey, metaKeys } from "../../answer/model/meta.ts";
import { countries, subdivisions } from "../../answer/model/places.ts";
import type { RecordType as DnsType } from "../../dns/rdata/record-type.ts";
import { types } from "../../dns/types.ts";
import { listFields } from "../../lib/fields.ts";
import { ConfigField, names } from "../kit/schema.ts";
import { route } from "../write/route.ts";
import { isListed } from "../zones/model/record/steering.ts";

const choices = Type.Optional(names("The values of a `select`."));

const MetaType = Type.Object({
  shortdesc: Type.String(),
  category: Type.String(),
  desc: Type.String({ description: "HTML." }),
  type: Type.Enum(["checkbox", "number", "text", "select", "json"], {
    description: "How a form asks for a value; `json` for values of several parts.",
  }),
  many: Type.Boolean({ description: "Whether the value may be a list." }),
  choices,
  says: Type.String({ description: "What a value must be, in words." }),
});

const RecordField = Type.Object({
  name: Type.String(),
  takes: Type.Enum(["one", "rest"], {
    description: "Whether the field is one element of an answer, or all that remain.",
  }),
  type: Type.Enum(["name", "ipv4", "ipv6", "number", "select", "text"]),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  choices: Type.Optional(
    Type.Unsafe<readonly number[]>({
      type: "array",
      items: { type: "integer" },
      description: "The values of a `select`.",
    }),
  ),
});

const RecordType = Type.Object({
  code: Type.Integer({
    description: "The number of the type; one for private use (RFC 6895) for types that only the API has.",
  }),
  fields: Type.Array(RecordField, { description: "The fields of an answer, in order." }),
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
    run: async () => Object.fromEntries(Object.entries(metaKeys).map(([key, row]) => [key, metaTypeOf(row)])),
  }),
  route({
    method: "GET",
    path: "/v1/recordtypes",
    tag: "Records",
    summary: "List record types",
    desc: "All types of records that can be written, with the fields of their answers.",
    right: "any",
    reply: Type.Record(Type.String(), RecordType),
    run: async () =>
      Object.fromEntries(
        Object.values(types)
          .filter(({ writable }) => writable)
          .map(({ name, code, fields }) => [name, { code, fields: fields.map(fieldOf) }]),
      ),
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

const metaTypeOf = ({ shortdesc, category, desc, takes: { says, form } }: (typeof metaKeys)[MetaKey]) => ({
  ...{ shortdesc, category, desc, says },
  type: form.type,
  many: form.many ?? false,
  ...(form.choices ? { choices: form.choices() } : {}),
});

const fieldOf = ({ name, kind: { takes, form } }: DnsType["fields"][number]) => ({
  ...{ name, takes },
  ...(form ?? { type: "text" as const }),
});

const typeOf = ({ shortdesc, desc, tier, inputs, config, rectypes }: Filter) => ({
  shortdesc,
  desc,
  tier,
  inputs,
  config: listFields(config),
  ...(rectypes ? { rectypes } : {}),
});
