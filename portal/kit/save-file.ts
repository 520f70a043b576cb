/** Gives the browser a file to keep, and writes tables as CSV. */

export function saveFile(name: string, content: string | Blob, type = ""): void {
  const file = typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // the browser reads it after this turn
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Rows as CSV (RFC 4180). */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

/** A spreadsheet takes a text that begins with one of these signs for a formula; a quote in front makes it text. */
const formula = /^[=+\-@\t\r]/;

function cell(value: string | number): string {
  const text = typeof value === "string" && formula.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
