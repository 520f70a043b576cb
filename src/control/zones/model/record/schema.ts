/** Schemas of a record: its body, its reply, and its line in a zone's listing. The order of fields is part of the API. */
import { type Static, Type } from "typebox";
import { allDownPolicies } from "../../../../answer/chain/policy.ts";
import type { StoredFilter } from "../../../../storage/tables/records.ts";
import { anyArray, anyObject, dnsSeconds, fieldsNamed, maybe, names, nullable, tableOf } from "../../../kit/schema.ts";

const rdataFields = Type.Unsafe<readonly (string | number)[]>({
  type: "array",
  items: { type: ["string", "number"] },
  description: "RDATA fields of the record's type, in order.",
  examples: [["192.0.2.1"]],
});

const NewFilter = Type.Unsafe<StoredFilter>({
  type: "object",
  properties: {
    filter: { type: "string", description: "An id listed by `/v1/filtertypes`." },
    config: { type: ["object", "null"], additionalProperties: true, description: "As `/v1/filtertypes` lists it." },
    disabled: { description: "If true, the filter is kept but skipped." },
  },
  required: ["filter"],
  additionalProperties: true,
});

/** An extension of Fairlead; see `answer/chain/policy.ts`. */
const AllDown = Type.Object(
  {
    policy: Type.Unsafe<(typeof allDownPolicies)[number]>({ type: "string", enum: allDownPolicies }),
    group: Type.Optional(Type.String({ description: "The region to serve when the policy is `group`." })),
  },
  { description: "The answers to serve when the `up` filter finds none up; by default, the answers that it received." },
);

const liveGuard = Type.Number({
  minimum: 0,
  maximum: 1,
  description: "The largest share of the answers that feeds may remove; beyond it, values of feeds are ignored.",
});

const Answer = Type.Object({
  answer: rdataFields,
  id: Type.String(),
  meta: Type.Optional(anyObject("Metadata of this answer.")),
  region: Type.Optional(Type.String()),
  feeds: Type.Optional(anyArray("Feeds bound to this answer.")),
});

export const Record = Type.Object(
  {
    domain: Type.String({ description: "FQDN, lower case, no final dot." }),
    zone: Type.String(),
    use_client_subnet: Type.Boolean(),
    answers: Type.Array(Answer),
    id: Type.String(),
    regions: anyObject("Groups of answers by name, each with its metadata."),
    meta: anyObject("Metadata of all answers."),
    link: nullable(Type.String()),
    filters: anyArray("The filter chain: `{filter, config, disabled}` each, as it was sent."),
    ttl: Type.Integer(),
    tier: Type.Integer({ description: "The highest tier of the chain; 1 without filters." }),
    type: Type.String(),
    networks: Type.Array(Type.Integer()),
    override_ttl: nullable(Type.Boolean({ description: "Null when nobody set it, which is the same as false." })),
    override_address_records: Type.Boolean(),
    feeds: anyArray("Feeds bound to this record."),
    tags: anyObject("Tags and their values."),
    local_tags: names("Names of the tags set on the record itself."),
    blocked_tags: names("Names of tags that are not inherited."),
    customer: Type.Null(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    all_down: Type.Optional(AllDown),
    live_guard: Type.Optional(liveGuard),
  },
  { $id: "Record" },
);
export type Record = Static<typeof Record>;

export const RecordSummary = Type.Object(
  {
    domain: Type.String(),
    short_answers: names("Each answer as text, its fields separated by a space."),
    link: nullable(Type.String()),
    ttl: Type.Integer(),
    tier: Type.Integer(),
    type: Type.String(),
    id: Type.String(),
    zone: Type.String(),
  },
  { $id: "RecordSummary" },
);
export type RecordSummary = Static<typeof RecordSummary>;

export const NewAnswer = Type.Object(
  {
    answer: rdataFields,
    id: maybe(Type.String({ maxLength: 64 })),
    meta: maybe(anyObject("Metadata of this answer.")),
    region: maybe(Type.String({ description: "A name in `regions`." })),
    feeds: maybe(anyArray("Set by the service.")),
  },
  { examples: [{ answer: ["192.0.2.1"] }] },
);
export type NewAnswer = Static<typeof NewAnswer>;

const fields = {
  answers: maybe(Type.Array(NewAnswer, { description: "Replaces all answers." })),
  ttl: maybe(dnsSeconds("TTL; the zone's nx_ttl when left out.")),
  use_client_subnet: maybe(
    Type.Boolean({ description: "Whether filters may use the client's subnet; true when left out." }),
  ),
  regions: maybe(tableOf(fieldsNamed("meta"), "Groups of answers by name, each `{meta}`.")),
  meta: maybe(anyObject("Metadata of all answers.")),
  filters: maybe(Type.Array(NewFilter, { description: "The filter chain; replaces all of it." })),
  all_down: maybe(AllDown),
  live_guard: maybe(liveGuard),
  link: maybe(
    Type.String({
      description:
        "FQDN of a record of the same type in this account, whose answers are served. Cannot be combined with answers, filters, regions or meta.",
    }),
  ),
  override_ttl: maybe(Type.Boolean({ description: "Keep this TTL instead of the target's." })),
  override_address_records: maybe(Type.Boolean({ description: "Allow an ALIAS to share its name with A and AAAA." })),
  feeds: maybe(anyArray("Set by the service.")),
  tags: maybe(anyObject("Tags and their values.")),
  local_tags: maybe(names("Names of the tags set on the record itself.")),
  blocked_tags: maybe(names("Names of tags that are not inherited.")),
};

/** Body of PUT and POST. Other fields, such as those that only replies contain, are ignored. */
export const RecordBody = Type.Object(fields, {
  $id: "RecordBody",
  examples: [
    { ttl: 300, answers: [{ answer: ["192.0.2.1"] }, { answer: ["192.0.2.2"] }] },
    { answers: [{ answer: [10, "mail.example.com"] }] },
  ],
});
export type RecordBody = Static<typeof RecordBody>;

/** A record of a bulk write, with its domain and type. */
export const NamedRecordBody = Type.Object(
  { domain: Type.String(), type: Type.String(), ...fields },
  { $id: "NamedRecordBody" },
);
export type NamedRecordBody = Static<typeof NamedRecordBody>;

/** One of many writes of records in several zones. */
export const RecordWriteBody = Type.Object({
  action: Type.Enum(["create", "update", "put", "delete"], {
    description: "`put` creates the record or replaces it as a whole; `update` leaves absent fields unchanged.",
  }),
  zone: Type.String({ description: "The FQDN of the record's zone." }),
  ...NamedRecordBody.properties,
});
export type RecordWriteBody = Static<typeof RecordWriteBody>;
