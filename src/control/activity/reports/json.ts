/** The entries as in the listing, in an object that says whether any are missing. */
import { inPieces } from "../../../lib/files/spool.ts";
import { entryReply } from "../listing/entries.ts";
import type { Format, Report } from "./report.ts";

export const json: Format = {
  mediaType: "application/json",
  extension: "json",
  most: 100_000,
  write: (report) => inPieces(print(report)),
};

async function* print(report: Report): AsyncGenerator<string> {
  yield `{"generated_at":${report.made},"entries":[`;
  let separator = "\n";
  for await (const row of report.rows()) {
    yield separator + JSON.stringify(entryReply(row));
    separator = ",\n";
  }
  yield `\n],"note":${JSON.stringify(report.note() ?? null)}}\n`;
}
