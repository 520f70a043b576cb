/** What imports and exports of zone files look like. */
import { type Static, Type } from "typebox";
import { names, nullable } from "../kit/schema.ts";
import { Zone } from "../zones/model/zone/schema.ts";

/** A zone with the first page of its records, and what was left out or changed of the file. */
export const ImportedZone = Type.Object(
  { ...Zone.properties, warnings: names("What was left out or changed, with its line.") },
  { $id: "ImportedZone" },
);
export type ImportedZone = Static<typeof ImportedZone>;

export const ImportJob = Type.Object(
  {
    id: Type.String(),
    sent: Type.Integer({ description: "When the file was sent, in Unix seconds." }),
    type: Type.Literal("importzonefile"),
    percent: Type.Integer({ minimum: 0, maximum: 100 }),
    status: Type.String({ description: "What goes on, or what came of it, for a person." }),
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
    status: Type.Literal("COMPLETED", { description: "A file is made when it is fetched, of the zone as it is then." }),
    generated_at: Type.String({ description: "RFC 3339." }),
    message: Type.String(),
  },
  { $id: "ExportStatus" },
);
export type ExportStatus = Static<typeof ExportStatus>;
