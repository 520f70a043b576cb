/** One element per entry and one per field. JSON objects stay JSON, as text. */

import { inPieces } from "../../../lib/files/spool.ts";
import { markup } from "../../../lib/text/text.ts";
import { columns } from "./columns.ts";
import type { Format, Report } from "./report.ts";

export const xml: Format = {
  mediaType: "application/xml; charset=utf-8",
  extension: "xml",
  most: 100_000,
  write: (report) => inPieces(print(report)),
};

async function* print(report: Report): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<activity generated_at="${report.made}">\n`;
  for await (const row of report.rows()) {
    const fields = columns.map(({ name, of }) => element(name, of(row)));
    yield `<entry>${element("timestamp", String(row.timestamp))}${fields.join("")}</entry>\n`;
  }
  const note = report.note();
  yield `${note === undefined ? "" : `${element("note", note)}\n`}</activity>\n`;
}

const element = (name: string, text: string) => `<${name}>${markup(text)}</${name}>`;
