/** The body and the reply of explain. */
import { type Static, Type } from "typebox";
import { georegions } from "../../../lib/facts.ts";
import { limits } from "../../kit/limits.ts";
import { anyArray, anyObject, maybe, nullable } from "../../kit/schema.ts";
import { RecordWriteBody } from "../../zones/model/record/schema.ts";
import { Warning } from "../lint/lint.ts";

/** The most times that one request may ask the same question. */
export const mostDraws = 100_000;

const Location = Type.Object(
  {
    country: maybe(Type.String({ minLength: 2, maxLength: 2, description: "ISO 3166-1, two letters." })),
    subdivision: maybe(Type.String({ maxLength: 3, description: "ISO 3166-2 without the country: CA of US-CA." })),
    georegion: maybe(Type.Enum([...georegions])),
    latitude: maybe(Type.Number({ minimum: -90, maximum: 90 })),
    longitude: maybe(Type.Number({ minimum: -180, maximum: 180 })),
    asn: maybe(Type.Integer({ minimum: 0, maximum: 0xffffffff })),
  },
  {
    description:
      "The client's location, instead of that of its address in the geo files. Georegion and coordinates default to those of the middle of the country or subdivision.",
  },
);

export const ExplainBody = Type.Object({
  name: Type.String({ description: "The name to ask for." }),
  type: maybe(Type.String({ description: "The type to ask for; A by default." })),
  client: maybe(Type.String({ description: "The source address of the query; 192.0.2.1 by default." })),
  subnet: maybe(Type.String({ description: "The client subnet of the query (RFC 7871), such as 198.51.100.0/24." })),
  location: Type.Optional(Location),
  time: maybe(
    Type.Number({
      minimum: 0,
      description: "The time at which the ages of feeds are measured, in Unix seconds; now by default.",
    }),
  ),
  seed: maybe(Type.Integer({ description: "The seed of random numbers: the same seed gives the same answer." })),
  draws: maybe(
    Type.Integer({
      minimum: 1,
      maximum: mostDraws,
      description: "Asks this many times, and counts the different answers.",
    }),
  ),
  matrix: maybe(
    Type.Boolean({ description: "Also asks from every country, `draws` times each; see `matrix` in the reply." }),
  ),
  records: maybe(
    Type.Array(RecordWriteBody, {
      maxItems: limits.simulatedRecords,
      description:
        "A draft that is laid over the store's records for this question. It is checked like a change set, and not written.",
    }),
  ),
  feeds: maybe(
    Type.Unsafe<Record<string, Record<string, unknown>>>({
      type: "object",
      maxProperties: limits.simulatedFeeds,
      additionalProperties: { type: "object", additionalProperties: true },
      description:
        "Assumed values by feed id and metadata key, as if they were pushed with `merge=true`; null unsets a key.",
    }),
  ),
  editor: maybe(
    Type.String({
      maxLength: 64,
      description:
        "The name of what asks, such as an open form. A newer request with this name and key takes the place of an older one, which is answered 409.",
    }),
  ),
});
export type ExplainBody = Static<typeof ExplainBody>;

const Counted = Type.Object({
  answer: Type.Array(Type.String(), { description: "The RDATA of the answer section in order." }),
  count: Type.Integer(),
  share: Type.Number({ description: "0 to 1." }),
});
export type Counted = Static<typeof Counted>;

const Value = Type.Object({
  answer: Type.Integer({ description: "The index in the record's answers." }),
  key: Type.String(),
  value: Type.Unknown({ description: "Null when there is no value; at most 100 elements of a list." }),
  elements: nullable(Type.Integer({ description: "The number of elements of a list that is not shown whole." })),
  source: nullable(Type.String({ description: "Where the value is set: answer, region or record." })),
  feed: nullable(Type.String({ description: "The id of the feed that has the value." })),
  origin: nullable(
    Type.Enum(["stored", "pushed", "fallback", "assumed"], {
      description:
        "Where the value is from: the metadata itself, the feed's last push, the feed's fallback, or `feeds` of the request. Null when there is no value.",
    }),
  ),
  age: nullable(Type.Number({ description: "Seconds since the feed's push." })),
});
export type Value = Static<typeof Value>;

const Fact = Type.Object({
  fact: Type.String(),
  value: Type.Unknown(),
  bits: Type.Integer({ description: "The number of leading bits of the client's address on which the fact depends." }),
});

const answerShown = Type.Unsafe<number | string>({ type: ["integer", "string"] });
const answersShown = (description: string) => Type.Array(answerShown, { description });

const Filter = Type.Object({
  filter: Type.String(),
  config: Type.Unknown(),
  acts: Type.Boolean({ description: "False when the filter has no effect on this record." }),
  before: answersShown("The answers before the filter in order, by index; an answer made by a filter by its address."),
  after: answersShown("The answers after the filter."),
  left: Type.Array(
    Type.Object({
      answer: answerShown,
      reason: Type.String({ description: "A clause such as `up is not true`." }),
    }),
    { description: "The answers that the filter removed, each with the reason." },
  ),
  all_down: nullable(
    Type.String({
      description: "When no answer is up: the policy of `all_down` that applied, or `keep` for a record without one.",
    }),
  ),
  guarded: Type.Boolean({ description: "Whether `live_guard` put answers back that feeds would have removed." }),
  values: Type.Array(Value),
  facts: Type.Array(Fact),
});

const Step = Type.Object({
  name: Type.String({ description: "The name that was looked up." }),
  zone: nullable(Type.String()),
  state: Type.String({
    description: "answer, any, cname, dname, alias, delegation, nodata, nxdomain, refused or shut.",
  }),
  link: nullable(
    Type.String({
      description: "The name whose records are answered, because the record or its zone is linked to it.",
    }),
  ),
  record: nullable(
    Type.String({ description: "The name and type of the record whose answers the filters choose from." }),
  ),
  wildcard: Type.Boolean(),
  hidden: Type.Boolean({
    description: "The caller may not see the record: its answers and its chain are not shown.",
  }),
  answers: anyArray("The record's answers, to which the indices of the filters refer."),
  filters: Type.Array(Filter),
});
export type Step = Static<typeof Step>;

const section = Type.Array(Type.String());

export const Explanation = Type.Object({
  name: Type.String(),
  type: Type.String(),
  rcode: Type.String(),
  flags: Type.Array(Type.String()),
  answer: section,
  authority: section,
  additional: section,
  octets: Type.Integer({ description: "The size of the whole reply in octets." }),
  ecs: nullable(
    Type.Object({
      subnet: Type.String(),
      scope: Type.Integer({ description: "The prefix length for which the answer is valid (RFC 7871 section 7.2.1)." }),
    }),
  ),
  client: anyObject(
    "The client's address, subnet and location. `has_geo_files` is false if the service has no geo files: it knows the place of no real client then.",
  ),
  steps: Type.Array(Step),
  warnings: Type.Array(Warning, { description: "The warnings of lint about the records concerned." }),
  draws: Type.Optional(Type.Array(Counted)),
  matrix: Type.Optional(
    Type.Unsafe<Record<string, Counted[]>>({
      type: "object",
      additionalProperties: { type: "array", items: Counted },
      description: "By country, the answers that its clients get, with their counts.",
    }),
  ),
});
export type Explanation = Static<typeof Explanation>;
