/** What explain is asked, and what it replies. */
import { type Static, Type } from "typebox";
import { georegions } from "../../../lib/facts.ts";
import { anyArray, anyObject, maybe, nullable } from "../../kit/schema.ts";
import { Warning } from "../lint/warning.ts";

/** How often one request may ask the same question. */
export const maxDraws = 100_000;

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
      "Where the client is, instead of what the geo files say of its address. Region and coordinates that are left out are those of the country's or subdivision's middle.",
  },
);

export const ExplainBody = Type.Object({
  name: Type.String({ description: "The name that is asked for." }),
  type: maybe(Type.String({ description: "Its type; A when left out." })),
  client: maybe(Type.String({ description: "Address that the packet comes from; 192.0.2.1 when left out." })),
  subnet: maybe(Type.String({ description: "Client subnet of the query (RFC 7871), such as 198.51.100.0/24." })),
  location: Type.Optional(Location),
  time: maybe(
    Type.Number({ minimum: 0, description: "Unix seconds at which the ages of feeds count; now when left out." }),
  ),
  seed: maybe(Type.Integer({ description: "Of the random numbers: the same seed gives the same answer." })),
  draws: maybe(
    Type.Integer({ minimum: 1, maximum: maxDraws, description: "Asks as often, and counts which answers come." }),
  ),
  matrix: maybe(
    Type.Boolean({ description: "Asks from every country as well, `draws` times each; see the reply's matrix." }),
  ),
});
export type ExplainBody = Static<typeof ExplainBody>;

const Counted = Type.Object({
  answer: Type.Array(Type.String(), { description: "RDATA of the answer section in order." }),
  count: Type.Integer(),
  share: Type.Number({ description: "0 to 1." }),
});
export type Counted = Static<typeof Counted>;

const Value = Type.Object({
  answer: Type.Integer({ description: "Index in the record's answers." }),
  key: Type.String(),
  value: Type.Unknown({ description: "Null when there is none." }),
  source: nullable(Type.String({ description: "Whose metadata it is: answer, region or record." })),
  feed: nullable(Type.String({ description: "Id of the feed that has the value." })),
  age: nullable(Type.Number({ description: "Seconds since the feed's push." })),
});

const Fact = Type.Object({
  fact: Type.String(),
  value: Type.Unknown(),
  bits: Type.Integer({ description: "Leading bits of the client's address on which it depends." }),
});

const places = (description: string) =>
  Type.Array(Type.Unsafe<number | string>({ type: ["integer", "string"] }), { description });

const Filter = Type.Object({
  filter: Type.String(),
  config: Type.Unknown(),
  acts: Type.Boolean({ description: "False when it can do nothing to this record." }),
  before: places("Indices of the answers that came in, in order; an address for one that a filter made."),
  after: places("Those that went out."),
  values: Type.Array(Value),
  facts: Type.Array(Fact),
});

const Step = Type.Object({
  name: Type.String({ description: "The name that was looked for." }),
  zone: nullable(Type.String()),
  state: Type.String({
    description: "answer, any, cname, dname, alias, delegation, nodata, nxdomain, refused or shut.",
  }),
  link: nullable(
    Type.String({ description: "The name whose records are answered: the record, or the zone, is linked to it." }),
  ),
  record: nullable(Type.String({ description: "Name and type of the record that filters steer." })),
  wildcard: Type.Boolean(),
  hidden: Type.Boolean({
    description: "The record is not the caller's to see: its answers and its chain are not shown.",
  }),
  answers: anyArray("The record's answers, which the filters' indices point to."),
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
  octets: Type.Integer({ description: "Of the reply with all of it." }),
  ecs: nullable(
    Type.Object({
      subnet: Type.String(),
      scope: Type.Integer({ description: "Prefix length for which the answer holds (RFC 7871 section 7.2.1)." }),
    }),
  ),
  client: anyObject("Address, and what is known of it."),
  steps: Type.Array(Step),
  warnings: Type.Array(Warning, { description: "What looks wrong with the records concerned, as lint says it." }),
  draws: Type.Optional(Type.Array(Counted)),
  matrix: Type.Optional(
    Type.Unsafe<Record<string, Counted[]>>({
      type: "object",
      additionalProperties: { type: "array", items: Counted },
      description: "By country, which answers its clients get and how often.",
    }),
  ),
});
export type Explanation = Static<typeof Explanation>;
