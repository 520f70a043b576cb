/** One line per entry (RFC 4180), made safe against formulas in spreadsheets. */

import { inPieces } from "../../../lib/files/spool.ts";
import { inert, visible } from "../../../lib/text/text.ts";
import { columns } from "./columns.ts";
import { type Format, type Report, timeText } from "./report.ts";

export const csv: Format = {
  mediaType: "text/csv; charset=utf-8",
  extension: "csv",
  most: 100_000,
  write: (report) => inPieces(print(report)),
};

async function* print(report: Report): AsyncGenerator<string> {
  yield lineOf(["time (UTC)", ...columns.map(({ name }) => name)]);
  for await (const row of report.rows()) yield lineOf([timeText(row.timestamp), ...columns.map(({ of }) => of(row))]);
  const note = report.note();
  // with as many fields as any other line
  if (note !== undefined) yield lineOf([note, ...columns.map(() => "")]);
}

const lineOf = (fields: readonly string[]) => `${fields.map(fieldOf).join(",")}\r\n`;

function fieldOf(text: string): string {
  const safe = visible(inert(text));
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
