/** Schemas of versions and of the differences between them. */
import { type Static, Type } from "typebox";
import { maybe, nullable } from "../../kit/schema.ts";
import { Record } from "../model/record/schema.ts";
import { ZoneOnly } from "../model/zone/schema.ts";

export const Version = Type.Object(
  {
    id: Type.Integer({ description: "The zone's serial in this version." }),
    name: Type.String({ description: "Empty unless the version was saved." }),
    active: Type.Boolean({
      description:
        "Whether the zone is in this state now: true for the newest version, and for the version that the newest one restored.",
    }),
    activated_at: Type.Integer({ description: "The last time at which the zone entered this state." }),
    created_at: Type.Integer(),
    zone: Type.String(),
    saved: Type.Boolean({ description: "A saved version is kept as long as the zone." }),
    user: nullable(
      Type.Object(
        { id: Type.String(), name: Type.String(), type: Type.String() },
        { description: "The user or key that made the version, as in the activity log." },
      ),
    ),
    action: nullable(
      Type.String({ description: "The action that made the version, such as `record update` or `zonefile create`." }),
    ),
    restored: nullable(Type.Integer({ description: "The older version that this version restored." })),
    removed: Type.Integer({
      description: "Number of records and zone settings that this version replaced or removed.",
    }),
    added: Type.Integer({ description: "Number of records and zone settings that this version replaced or added." }),
  },
  { $id: "Version" },
);
export type Version = Static<typeof Version>;

const RecordDifference = Type.Object({
  domain: Type.String(),
  type: Type.String(),
  before: Type.Union([Record, Type.Null()], { description: "Null when the record was added." }),
  after: Type.Union([Record, Type.Null()], { description: "Null when the record was removed." }),
});
export type RecordDifference = Static<typeof RecordDifference>;

export const ZoneDifference = Type.Object(
  {
    zone: Type.String(),
    settings: Type.Union([Type.Object({ before: ZoneOnly, after: ZoneOnly }), Type.Null()], {
      description: "The zone's own fields; null when they are the same.",
    }),
    records: Type.Array(RecordDifference, { description: "Ordered by name and type." }),
  },
  { $id: "ZoneDifference" },
);
export type ZoneDifference = Static<typeof ZoneDifference>;

export const VersionDifference = Type.Object(
  {
    from: nullable(Type.Integer({ description: "Null for the state before the first version." })),
    to: Type.Integer(),
    ...ZoneDifference.properties,
  },
  { $id: "VersionDifference" },
);

/** A version in a body, named by its id or by a time at which it was current. */
export const PointBody = Type.Object({
  version: maybe(Type.Integer({ description: "Id of a version." })),
  at: maybe(Type.String({ description: "A time in Unix seconds or in the format of RFC 3339." })),
});

/** A version in a query. */
export const pointQuery = {
  version: Type.Optional(Type.Integer({ description: "Reply with the state in this version." })),
  at: Type.Optional(
    Type.String({ description: "Reply with the state at this time, in Unix seconds or in the format of RFC 3339." }),
  ),
};
