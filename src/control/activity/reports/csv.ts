/** One line per entry. */

import { timeText } from "../../../lib/clock.ts";
import { inPieces } from "../../../lib/files/spool.ts";
import { csvFile, csvLine } from "../../../lib/text/csv.ts";
import { columns } from "./columns.ts";
import type { Format, Report } from "./report.ts";

export const csv: Format = {
  ...csvFile,
  most: 100_000,
  write: (report) => inPieces(print(report)),
};

async function* print(report: Report): AsyncGenerator<string> {
  yield csvLine(["time (UTC)", ...columns.map(({ name }) => name)]);
  for await (const row of report.rows()) yield csvLine([timeText(row.timestamp), ...columns.map(({ of }) => of(row))]);
  const note = report.note();
  // with as many fields as any other line
  if (note !== undefined) yield csvLine([note, ...columns.map(() => "")]);
}
