/** What versions and the differences between them look like. */
import { type Static, Type } from "typebox";
import { maybe, nullable } from "../../kit/schema.ts";
import { Record } from "../model/record/schema.ts";
import { ZoneOnly } from "../model/zone/schema.ts";

export const Version = Type.Object(
  {
    id: Type.Integer({ description: "The serial that the zone had." }),
    name: Type.String({ description: "Empty unless it was saved." }),
    active: Type.Boolean({ description: "Whether the zone is now as it was then: the newest, and what it restored." }),
    activated_at: Type.Integer({ description: "When the zone became so, the last time." }),
    created_at: Type.Integer(),
    zone: Type.String(),
    saved: Type.Boolean({ description: "Stays as long as the zone." }),
    user: nullable(
      Type.Object(
        { id: Type.String(), name: Type.String(), type: Type.String() },
        { description: "Who made it, as in the activity log." },
      ),
    ),
    action: nullable(Type.String({ description: "By what: `record update`, `zonefile create`." })),
    restored: nullable(Type.Integer({ description: "The version that it brought back." })),
    removed: Type.Integer({ description: "How many records, and settings of the zone, were others before." }),
    added: Type.Integer({ description: "How many are others or new." }),
  },
  { $id: "Version" },
);
export type Version = Static<typeof Version>;

const RecordDifference = Type.Object({
  domain: Type.String(),
  type: Type.String(),
  before: Type.Union([Record, Type.Null()], { description: "Null when there was none." }),
  after: Type.Union([Record, Type.Null()], { description: "Null when there is none." }),
});
export type RecordDifference = Static<typeof RecordDifference>;

export const ZoneDifference = Type.Object(
  {
    zone: Type.String(),
    settings: Type.Union([Type.Object({ before: ZoneOnly, after: ZoneOnly }), Type.Null()], {
      description: "The zone's own fields; null when they are the same.",
    }),
    records: Type.Array(RecordDifference, { description: "By name and type." }),
  },
  { $id: "ZoneDifference" },
);
export type ZoneDifference = Static<typeof ZoneDifference>;

export const VersionDifference = Type.Object(
  {
    from: nullable(Type.Integer({ description: "Null for what was before the first version." })),
    to: Type.Integer(),
    ...ZoneDifference.properties,
  },
  { $id: "VersionDifference" },
);

/** A version in a body: by its id, or the one that there was at a time. */
export const PointBody = Type.Object({
  version: maybe(Type.Integer({ description: "Id of a version." })),
  at: maybe(Type.String({ description: "A time: Unix seconds, or RFC 3339." })),
});

/** The same in a query. */
export const pointQuery = {
  version: Type.Optional(Type.Integer({ description: "As it was in this version." })),
  at: Type.Optional(Type.String({ description: "As it was at this time: Unix seconds, or RFC 3339." })),
};
