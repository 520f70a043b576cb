/** Reads and writes rows in the text format of COPY: tab-separated columns, one row per line, backslash escapes. */

/** Yields the stream with each of its rows changed, without those for which `change` returns undefined. */
export async function* mapRows(
  chunks: AsyncIterable<Buffer>,
  columns: readonly string[],
  change: (row: Record<string, string | null>) => Readonly<Record<string, string | null>> | undefined,
): AsyncGenerator<Buffer> {
  const changed = (line: string) => {
    const row = change(parseRow(line, columns));
    return row === undefined ? [] : printRow(row, columns);
  };
  for await (const lines of linesOf(chunks)) yield Buffer.from(lines.flatMap(changed).join(""));
}

/** Yields the lines of a stream in batches, each with its line end. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10) + 1;
    if (end === 0) {
      rest.push(chunk);
      continue;
    }
    const whole = Buffer.concat([...rest, chunk.subarray(0, end)]).toString("utf8");
    rest = [chunk.subarray(end)];
    yield whole.split(/(?<=\n)/);
  }
}

export function parseRow(line: string, columns: readonly string[]): Record<string, string | null> {
  const fields = line.replace(/\n$/, "").split("\t");
  return Object.fromEntries(columns.map((column, index) => [column, parseField(fields[index] ?? "\\N")]));
}

export const printRow = (row: Readonly<Record<string, string | null>>, columns: readonly string[]) =>
  `${columns.map((column) => printField(row[column] ?? null)).join("\t")}\n`;

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const letters: Record<string, string> = { "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v" };

const parseField = (text: string) =>
  text === "\\N" ? null : text.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter);

const printField = (value: string | null) =>
  value === null ? "\\N" : value.replace(/[\b\f\n\r\t\v\\]/g, (letter) => `\\${letters[letter] ?? letter}`);
