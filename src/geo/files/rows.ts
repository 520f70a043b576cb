/** Parses tables: lines of comma-separated fields (RFC 4180, without line breaks in fields), comments and a header. */
import { invalid } from "../../lib/problem.ts";

/** A line of a table that is neither empty nor a comment. */
export interface Row {
  /** From 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Yields the rows of a text. Throws a Problem that names the file and the line. */
export function* rowsOf(text: string, path: string): Generator<Row> {
  let line = 0;
  for (let start = 0; start < text.length; line++) {
    const end = text.indexOf("\n", start);
    const stop = end < 0 ? text.length : end;
    const row = text.slice(start, stop).trim();
    start = stop + 1;
    if (row !== "" && !row.startsWith("#")) yield { line: line + 1, fields: fieldsOf(row, `${path}:${line + 1}`) };
  }
}

/** The fields of a row by column. */
interface Entry<Column extends string> {
  readonly line: number;
  readonly fields: Partial<Record<Column, string>>;
}

/**
 * Yields the rows of a table by column. A header, which has the first needed column, can change the columns; unknown
 * columns are ignored. Throws a Problem that names file and line.
 */
export function* entriesOf<Column extends string>(
  text: string,
  columns: readonly Column[],
  needed: readonly [Column, ...Column[]],
  path: string,
): Generator<Entry<Column>> {
  let names: readonly (Column | undefined)[] = columns;
  let isBegun = false;
  for (const row of rowsOf(text, path)) {
    if (!isBegun && isHeader(row, needed[0])) {
      names = readHeader(row, columns, needed, path);
      continue;
    }
    isBegun = true;
    yield { line: row.line, fields: byColumn(row, names, path) };
  }
}

/** Whether a row names this column. */
export const isHeader = ({ fields }: Row, column: string) => fields.some((field) => field.toLowerCase() === column);

function readHeader<Column extends string>(
  { line, fields }: Row,
  known: readonly Column[],
  needed: readonly Column[],
  path: string,
): (Column | undefined)[] {
  const names = fields.map((field) => known.find((name) => name === field.toLowerCase()));
  for (const name of known) {
    const count = names.filter((other) => other === name).length;
    if (count > 1) throw invalid(`${path}:${line}: column "${name}" is repeated`);
    if (count === 0 && needed.includes(name)) throw invalid(`${path}:${line}: column "${name}" is missing`);
  }
  return names;
}

function byColumn<Column extends string>({ line, fields }: Row, names: readonly (Column | undefined)[], path: string) {
  if (fields.length > names.length) {
    const most = names.length;
    throw invalid(`${path}:${line}: the line has ${fields.length} fields, but only ${most} columns are known`);
  }
  const entry: Partial<Record<Column, string>> = {};
  for (const [at, field] of fields.entries()) if (names[at] !== undefined) entry[names[at]] = field;
  return entry;
}

/** Runs `read`; errors get the prefix of file and line. */
export function atLine<Result>(path: string, line: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw invalid(`${path}:${line}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fieldsOf(row: string, where: string): string[] {
  if (!row.includes('"')) return row.split(",").map((field) => field.trim());
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y;
  for (let more = true; more; ) {
    const match = field.exec(row);
    if (match === null) throw invalid(`${where}: a quoted field has no closing quote, or text after it`);
    fields.push(match[1]?.replaceAll('""', '"').trim() ?? match[2]!.trim());
    more = match[3] === ",";
  }
  return fields;
}
