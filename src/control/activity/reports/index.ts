/** The formats of reports. */
import { type TSchema, Type } from "typebox";
import { nullable } from "../../kit/schema.ts";
import { Entry } from "../listing/entries.ts";
import { csv } from "./csv.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { pdf } from "./pdf.ts";
import type { Format } from "./report.ts";
import { xlsx } from "./xlsx.ts";
import { xml } from "./xml.ts";

/** The formats by the values of `export`. `xslx` is a spelling that existing clients send. */
export const formats = { json, xml, csv, html, pdf, xlsx, xslx: xlsx } as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

const JsonReport = Type.Object(
  {
    generated_at: Type.Integer(),
    entries: Type.Array(Entry),
    note: nullable(Type.String({ description: "The reason why entries are missing; null if none are." })),
  },
  { $id: "ActivityReport" },
);

/** The schemas of the reports by media type. */
export const producedTypes: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.values(formats).map(({ mediaType }) => [
    mediaType,
    mediaType === json.mediaType ? JsonReport : Type.Unknown(),
  ]),
);
