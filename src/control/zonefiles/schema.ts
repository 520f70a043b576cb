/** The replies of imports and exports of zone files. */
import { type Static, Type } from "typebox";
import { names, nullable } from "../kit/schema.ts";
import { Zone } from "../zones/model/zone/schema.ts";

/** A zone with the first page of its records, and warnings about lines of the file that were left out or changed. */
export const ImportedZone = Type.Object(
  { ...Zone.properties, warnings: names("Records that were left out or changed, with their lines.") },
  { $id: "ImportedZone" },
);
export type ImportedZone = Static<typeof ImportedZone>;

export const ImportJob = Type.Object(
  {
    id: Type.String(),
    sent: Type.Integer({ description: "The time of the request, in Unix seconds." }),
    type: Type.Enum(["importzonefile", "importtransfer"], {
      description: "Whether the zone is imported from a file or by a transfer.",
    }),
    percent: Type.Integer({ minimum: 0, maximum: 100 }),
    status: Type.String({ description: "The current step or the outcome, as text for people." }),
    result: nullable(Type.String({ description: "`success` or `error`; null until the job is finished." })),
    response_code: Type.Optional(Type.Integer({ description: "The status that a synchronous import would have had." })),
    response: Type.Optional(
      Type.Unsafe<object>({ type: "object", description: "The body that a synchronous import would have had." }),
    ),
  },
  { $id: "ImportJob" },
);
export type ImportJob = Static<typeof ImportJob>;

export const ExportStatus = Type.Object(
  {
    status: Type.Literal("COMPLETED", {
      description: "The file is made when it is fetched, from the zone at that moment.",
    }),
    generated_at: Type.String({ description: "RFC 3339." }),
    message: Type.String(),
  },
  { $id: "ExportStatus" },
);
export type ExportStatus = Static<typeof ExportStatus>;
