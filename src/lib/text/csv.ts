/** Lines of CSV (RFC 4180), made safe against formulas in spreadsheets. */
import { inert, visible } from "./text.ts";

/** What is common to all files of this format. */
export const csvFile = { mediaType: "text/csv; charset=utf-8", extension: "csv" } as const;

export const csvLine = (fields: readonly string[]) => `${fields.map(fieldOf).join(",")}\r\n`;

function fieldOf(text: string): string {
  const safe = visible(inert(text));
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
