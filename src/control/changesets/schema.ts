/** The bodies and replies of change sets: many writes of zones and records, their effect, and their progress at edges. */
import { type Static, Type } from "typebox";
import { limits } from "../kit/limits.ts";
import { maybe, nullable } from "../kit/schema.ts";
import { Warning } from "../steering/lint/lint.ts";
import { ZoneDifference } from "../zones/history/schema.ts";
import { RecordWriteBody } from "../zones/model/record/schema.ts";
import { ZoneBody, ZoneOnly } from "../zones/model/zone/schema.ts";

export const ZoneWrite = Type.Object({
  action: Type.Enum(["create", "update", "delete"]),
  ...ZoneBody.properties,
  zone: Type.String({ description: "FQDN." }),
});
export type ZoneWrite = Static<typeof ZoneWrite>;

export const Expectation = Type.Object({
  zone: Type.String({ description: "FQDN." }),
  serial: Type.Integer({ description: "The serial that the zone must still have: that of its newest version." }),
});
export type Expectation = Static<typeof Expectation>;

export const ChangeSetBody = Type.Object(
  {
    zones: maybe(Type.Array(ZoneWrite, { maxItems: limits.changeSetZones, description: "Each zone once." })),
    records: maybe(
      Type.Array(RecordWriteBody, { maxItems: limits.changeSetRecords, description: "Each record once." }),
    ),
    expect: maybe(
      Type.Array(Expectation, {
        maxItems: limits.changeSetZones,
        description:
          "The state from which the writes began. If one of these zones has changed since, nothing is written (412).",
      }),
    ),
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
        expect: [{ zone: "example.com", serial: 1767225600 }],
      },
    ],
  },
);
export type ChangeSetBody = Static<typeof ChangeSetBody>;

const ChangedAnswer = Type.Object({
  domain: Type.String(),
  type: Type.String(),
  country: Type.String(),
  answer: Type.Array(Type.String(), { description: "The RDATA of the answer section in order." }),
  before: Type.Number({
    description: "The share of the country's clients that get the answer before the change, 0 to 1.",
  }),
  after: Type.Number({ description: "The share that gets it after the change." }),
});
export type ChangedAnswer = Static<typeof ChangedAnswer>;

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
          { description: "The zone's own fields: `before` is null for a new zone, `after` for a deleted one." },
        ),
      }),
    ),
    warnings: Type.Array(Warning, { description: "The warnings of lint about the changed records." }),
    cells: Type.Array(ChangedAnswer, {
      description: "Answers of records with filters whose share changes for clients of a country.",
    }),
    complete: Type.Boolean({ description: "False when the change set is too large to be checked completely." }),
  },
  { $id: "ChangeSetEffect" },
);
export type Effect = Static<typeof Effect>;

export const ChangeSetReply = Type.Object(
  {
    id: nullable(Type.String({ description: "The id for `/v1/changesets/:id`. Null for a dry run." })),
    dry_run: Type.Boolean(),
    zones: Type.Array(
      Type.Object({
        zone: Type.String(),
        change: Type.Enum(["created", "updated", "deleted", "records"]),
        put: Type.Integer({ description: "The number of new or changed records." }),
        removed: Type.Integer({ description: "The number of removed records, without those of deleted zones." }),
      }),
    ),
    effect: Type.Union([Effect, Type.Null()], { description: "The effect of a dry run." }),
  },
  { $id: "ChangeSet" },
);
export type ChangeSetReply = Static<typeof ChangeSetReply>;

export const ChangeSetProgress = Type.Object(
  {
    id: Type.String(),
    revision: nullable(
      Type.Integer({
        description:
          "Null until the change has its position in the order; always null for other accounts than the first.",
      }),
    ),
    live: Type.Boolean({ description: "Whether every edge that is not away has applied the change." }),
    edges: Type.Array(
      Type.Object({
        id: Type.String(),
        revision: Type.Integer({ description: "The last revision that the edge reported, at most once a second." }),
        applied: Type.Boolean({ description: "Whether the edge has applied this change set." }),
        away: Type.Boolean({
          description: "Whether the edge has not reported for so long that it is no longer waited for.",
        }),
        seen_at: Type.Integer(),
      }),
    ),
  },
  { $id: "ChangeSetProgress" },
);
