/** The rows of benches: all have one shape, so that they form one table. */

export interface Row {
  /** The name of the bench. */
  readonly name: string;
  readonly measure: string;
  readonly unit: string;
  /** Absent if it was not measured; `measure` then has the reason. */
  readonly ours?: number;
  /** Figures of peers in the same run; a text says why a figure is missing. */
  readonly peers: Readonly<Record<string, number | string>>;
  /** The target as text; empty if there is none. */
  readonly target: string;
  /** Absent without a target. */
  readonly met?: boolean;
}

export const headings = ["bench", "measure", "ours", "peers", "target", "met"];

export function cellsOf({ name, measure, unit, ours, peers, target, met }: Row): string[] {
  const others = Object.entries(peers).map(([peer, figure]) => `${peer} ${figureOf(figure)}`);
  const own = ours === undefined ? "-" : `${figureOf(ours)} ${unit}`;
  return [name, measure, own, others.join(", "), target, met === undefined ? "" : met ? "yes" : "NO"];
}

export const printRows = (rows: readonly Row[]) => printTable(headings, rows.map(cellsOf));

/** Rows under their headings, in columns. */
function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, n) => Math.max(heading.length, ...rows.map((row) => row[n]!.length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join("  ");
  process.stdout.write(`${[headings, ...rows].map(line).join("\n")}\n`);
}

/** A figure with about three digits. */
function figureOf(figure: number | string): string {
  if (typeof figure === "string") return figure;
  const size = Math.abs(figure);
  return figure.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** Met if ours is at most `factor` times the lowest figure of the named peers that are in the row, of which at least one was measured. */
export function atMostPeers(ours: number, peers: Row["peers"], names: readonly string[], factor = 1): Judgement {
  const compared = names.filter((name) => peers[name] !== undefined);
  const figures = compared.map((name) => peers[name]).filter((figure) => typeof figure === "number");
  const target = `at most ${factor === 1 ? "" : `${factor} times `}${compared.map((name) => `${name}'s`).join(" and ")}`;
  return { target, met: figures.length > 0 && ours <= Math.min(...figures) * factor };
}

export type Judgement = Pick<Row, "target" | "met">;

/** Met if ours is at most `most`. */
export const atMost = (ours: number, most: number, unit: string): Judgement => ({
  target: `at most ${most} ${unit}`,
  met: ours <= most,
});

export const atLeast = (ours: number, least: number, unit: string): Judgement => ({
  target: `at least ${least} ${unit}`,
  met: ours >= least,
});
