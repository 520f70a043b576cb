/** Schemas of the state of feeds: values with their age, the records that they steer, and the last pushes. */
import { type Static, Type } from "typebox";
import { anyObject, names, nullable } from "../../kit/schema.ts";

const time = (description: string) => nullable(Type.Integer({ description }));

const FeedValue = Type.Object({
  key: Type.String(),
  value: Type.Unsafe<unknown>({ description: "The value that answers use now; null for none." }),
  from: Type.Unsafe<"push" | "fallback" | null>({
    type: ["string", "null"],
    enum: ["push", "fallback", null],
    description: "What the value comes from.",
  }),
  pushed: Type.Unsafe<unknown>({
    description: "The value that was pushed last, even if it is too old; null for none.",
  }),
  at: time("The time of the push that brought the pushed value, in Unix seconds; null if it is not known any more."),
  age: time("Seconds since then."),
  named: Type.Boolean({ description: "Whether a record has named the key: edges get no other values." }),
});
export type FeedValue = Static<typeof FeedValue>;

const keys = names("The metadata keys that take their value from the feed.");
const SteeredRecord = Type.Object({
  zone: Type.String(),
  domain: Type.String(),
  type: Type.String(),
  id: Type.String(),
  keys: names("Keys of the record's own metadata that take their value from the feed."),
  answers: Type.Array(
    Type.Object({
      id: nullable(Type.String()),
      answer: Type.Unsafe<readonly unknown[]>({ type: "array", items: {} }),
      keys,
    }),
  ),
  regions: Type.Array(Type.Object({ name: Type.String(), keys })),
});
export type SteeredRecord = Static<typeof SteeredRecord>;

export const RecentPush = Type.Object(
  {
    at: Type.Number({ description: "Unix seconds, with milliseconds." }),
    result: Type.Enum(["stored", "refused"] as const),
    message: Type.Optional(Type.String({ description: "The reason of a refusal." })),
    feeds: Type.Optional(
      Type.Integer({ description: "The number of feeds that the push reached; only for a source." }),
    ),
    merged: Type.Boolean({ description: "Whether keys that the push did not have kept their values." }),
    octets: Type.Integer({ description: "Octets of the pushed values as JSON, counted for each feed." }),
    values: Type.Optional(
      anyObject("The pushed table. Left out if it is large, or if the feeds of a source got different ones."),
    ),
  },
  { $id: "RecentPush" },
);
export type RecentPush = Static<typeof RecentPush>;

export const FeedStatus = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    source: Type.String({ description: "The id of the source." }),
    pushed_at: time("The time of the last push, in Unix seconds."),
    age: time("Seconds since the last push."),
    max_age: time("Seconds for which pushed values are valid."),
    stale: Type.Boolean({ description: "Whether no push came within `max_age`, so that pushed values do not apply." }),
    values: Type.Array(FeedValue, { description: "Pushed values and fallbacks, by key." }),
    steers: Type.Array(SteeredRecord, {
      description: "A page of the records with metadata that takes values from the feed, by name and type.",
    }),
    pushes: Type.Array(RecentPush, { description: "The last pushes, newest first." }),
  },
  { $id: "FeedStatus" },
);
export type FeedStatus = Static<typeof FeedStatus>;
