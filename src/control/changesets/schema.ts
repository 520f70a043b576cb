/** What change sets look like: many writes of zones and records, their effect, and where they have arrived. */
import { type Static, Type } from "typebox";
import { limits } from "../kit/limits.ts";
import { maybe, nullable } from "../kit/schema.ts";
import { Warning } from "../steering/lint/warning.ts";
import { ZoneDifference } from "../zones/history/schema.ts";
import { NamedRecordBody } from "../zones/model/record/schema.ts";
import { ZoneBody, ZoneOnly } from "../zones/model/zone/schema.ts";

const ZoneWrite = Type.Object({
  action: Type.Enum(["create", "update", "delete"]),
  ...ZoneBody.properties,
  zone: Type.String({ description: "FQDN." }),
});
export type ZoneWrite = Static<typeof ZoneWrite>;

const RecordWrite = Type.Object({
  action: Type.Enum(["create", "update", "put", "delete"], {
    description: "`put` creates the record or replaces it as a whole; `update` leaves what is not said as it is.",
  }),
  zone: Type.String({ description: "FQDN of its zone." }),
  ...NamedRecordBody.properties,
});

export const ChangeSetBody = Type.Object(
  {
    zones: maybe(Type.Array(ZoneWrite, { maxItems: limits.changeSetZones, description: "Each zone once." })),
    records: maybe(Type.Array(RecordWrite, { maxItems: limits.changeSetRecords, description: "Each record once." })),
  },
  {
    $id: "ChangeSetBody",
    examples: [
      {
        zones: [{ action: "create", zone: "example.net" }],
        records: [
          ...[{ action: "put", zone: "example.net", domain: "www.example.net", type: "A", ttl: 60, answers: [] }],
          { action: "delete", zone: "example.com", domain: "www.example.com", type: "A" },
        ],
      },
    ],
  },
);
export type ChangeSetBody = Static<typeof ChangeSetBody>;

const Cell = Type.Object({
  domain: Type.String(),
  type: Type.String(),
  country: Type.String(),
  answer: Type.Array(Type.String(), { description: "RDATA of the answer section in order." }),
  before: Type.Number({ description: "The share of clients there that got it, 0 to 1." }),
  after: Type.Number({ description: "The share that will get it." }),
});
export type Cell = Static<typeof Cell>;

export const Effect = Type.Object(
  {
    zones: Type.Array(
      Type.Object({
        ...ZoneDifference.properties,
        settings: Type.Union(
          [
            Type.Object({
              before: Type.Union([ZoneOnly, Type.Null()]),
              after: Type.Union([ZoneOnly, Type.Null()]),
            }),
            Type.Null(),
          ],
          { description: "The zone's own fields: null before for a new zone, null after for one that goes." },
        ),
      }),
    ),
    warnings: Type.Array(Warning, { description: "What lint finds in the records as they would be." }),
    cells: Type.Array(Cell, {
      description: "Answers of records with filters that clients of a country get more or less.",
    }),
    complete: Type.Boolean({ description: "False when there is more than was looked at." }),
  },
  { $id: "ChangeSetEffect" },
);
export type Effect = Static<typeof Effect>;

export const ChangeSetReply = Type.Object(
  {
    id: nullable(Type.String({ description: "Ask `/v1/changesets/:id` with it. Null for a dry run." })),
    dry_run: Type.Boolean(),
    zones: Type.Array(
      Type.Object({
        zone: Type.String(),
        change: Type.Enum(["created", "updated", "deleted", "records"]),
        put: Type.Integer({ description: "Records that are new or others." }),
        removed: Type.Integer({ description: "Records that are gone; not told of zones that go." }),
      }),
    ),
    effect: Type.Union([Effect, Type.Null()], { description: "Of a dry run." }),
  },
  { $id: "ChangeSet" },
);
export type ChangeSetReply = Static<typeof ChangeSetReply>;

export const ChangeSetProgress = Type.Object(
  {
    id: Type.String(),
    revision: nullable(Type.Integer({ description: "Null until it has its place in the order." })),
    live: Type.Boolean({ description: "Whether every edge that is not away answers with it." }),
    edges: Type.Array(
      Type.Object({
        id: Type.String(),
        revision: Type.Integer({ description: "The last one that it reported: once a second at most." }),
        applied: Type.Boolean({ description: "Whether it answers with this change set." }),
        away: Type.Boolean({ description: "Whether it has not been heard of for so long that it is not waited for." }),
        seen_at: Type.Integer(),
      }),
    ),
  },
  { $id: "ChangeSetProgress" },
);
