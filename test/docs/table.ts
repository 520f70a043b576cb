/** Tables in Markdown. */

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(escaped).join(" | ")} |\n`).join("");

const escaped = (cell: string) => cell.replaceAll("|", "\\|");
