/** The bodies and replies of data sources and feeds. The order of fields is part of the API. */
import { type Static, Type } from "typebox";
import { anyArray, anyObject, ConfigField, maybe, nullable } from "../../kit/schema.ts";

const Destination = Type.Object({
  destid: Type.String({ description: "Id of the answer, name of the region, or id of the record." }),
  desttype: Type.String({ description: "`answer`, `region` or `record`." }),
  record: Type.String({ description: "Id of the record." }),
});

export const Feed = Type.Object(
  {
    name: Type.String(),
    data: anyObject("The last table pushed."),
    id: Type.String({ description: "24 hex digits." }),
    config: anyObject("The configuration as it was sent."),
    networks: anyArray("Always empty."),
    destinations: Type.Array(Destination, { description: "The metadata that takes values from this feed." }),
    pushed_at: nullable(Type.Integer({ description: "The time of the last push, in Unix seconds." })),
    max_age: nullable(Type.Integer({ description: "Seconds for which pushed values are valid." })),
    fallback: Type.Unsafe<Record<string, unknown> | null>({
      type: ["object", "null"],
      additionalProperties: true,
      description: "Values for keys that have no value, or whose value is too old.",
    }),
  },
  { $id: "Feed" },
);
export type Feed = Static<typeof Feed>;

export const Source = Type.Object(
  {
    status: Type.String({ description: "`ok`, or `pending` until the provider has called." }),
    name: Type.String(),
    feeds: Type.Array(Feed),
    config: anyObject("The configuration as it was sent."),
    id: Type.String({ description: "32 hex digits." }),
    sourcetype: Type.String(),
  },
  { $id: "Source" },
);
export type Source = Static<typeof Source>;

const name = Type.String({ minLength: 1, maxLength: 255 });
const config = maybe(anyObject("Values by field name of the source type, kept as sent."));

export const NewSourceBody = Type.Object(
  { name, sourcetype: Type.String({ description: "A name listed by /v1/data/sourcetypes." }), config },
  { $id: "NewSourceBody" },
);
export type NewSourceBody = Static<typeof NewSourceBody>;

/** A null name is the same as an absent one, because a name has no default. */
export const SourceBody = Type.Object(
  { name: maybe(name), sourcetype: maybe(Type.String({ description: "Cannot be changed." })), config },
  { $id: "SourceBody" },
);
export type SourceBody = Static<typeof SourceBody>;

const settings = {
  config,
  max_age: maybe(
    Type.Integer({ minimum: 1, maximum: 0x7fffffff, description: "Seconds for which pushed values are valid." }),
  ),
  fallback: maybe(anyObject("Values for keys that have no value, or whose value is too old.")),
};
export const NewFeedBody = Type.Object({ name, ...settings }, { $id: "NewFeedBody" });
export const FeedBody = Type.Object({ name: maybe(name), ...settings }, { $id: "FeedBody" });
export type FeedBody = Static<typeof FeedBody>;

export const SourceTypes = Type.Record(
  Type.String(),
  Type.Object({
    shortdesc: Type.String(),
    desc: Type.String({ description: "HTML." }),
    config: Type.Record(Type.String(), ConfigField),
    feed_config: Type.Record(Type.String(), ConfigField),
    compatible_meta: Type.Array(Type.String(), { description: "Metadata keys that feeds of this type may carry." }),
  }),
);
