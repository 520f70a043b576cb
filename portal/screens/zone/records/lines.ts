/** Records that are typed one a line, as in zone files: `www 300 A 192.0.2.1`. */
import { scanAnswer } from "../../../kit/answer-text.ts";
import type { Edit } from "../../../kit/draft-edits.ts";
import type { KnownTypes } from "../../../kit/record-types.ts";
import { fullName } from "../../../kit/relative.ts";
import { scanTtl } from "../../../kit/ttl.ts";
import { recordsTexts as texts } from "../../../text/records.ts";
import type { Row } from "./row.ts";
import { rowId } from "./row-id.ts";

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly domain: string;
  readonly type: string;
  readonly ttl: number | undefined;
  readonly answer: (string | number)[];
}

export interface LineError {
  readonly number: number;
  readonly message: string;
}

export interface Lines {
  readonly lines: readonly Line[];
  readonly errors: readonly LineError[];
}

export function scanLines(text: string, zone: string, known: KnownTypes): Lines {
  const lines: Line[] = [];
  const errors: LineError[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    const given = line.trim();
    if (given === "" || given.startsWith(";")) continue;
    const read = scanLine(given, zone, known);
    if (typeof read === "string") errors.push({ number: at + 1, message: read });
    else lines.push({ number: at + 1, ...read });
  }
  return { lines, errors };
}

/** A line, or the message about it. */
function scanLine(line: string, zone: string, known: KnownTypes): Omit<Line, "number"> | string {
  const [name = "", ...words] = line.split(/\s+/);
  let ttl: number | undefined;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const length = scanTtl(word);
    if (ttl === undefined && length !== undefined) ttl = length;
    else if (word.toUpperCase() !== "IN") break;
  }
  const type = words[at]?.toUpperCase();
  if (type === undefined) return known.has(name.toUpperCase()) ? texts.lineWithoutName : texts.lineWithoutType;
  if (!known.has(type)) return texts.lineUnknownType(type);
  // the rest of the line as it was typed, with its blanks
  const rest = new RegExp(`^(?:\\S+\\s+){${at + 2}}`).exec(`${line} `)?.[0].length ?? line.length;
  const answer = scanAnswer(line.slice(rest), known.isText(type));
  if (answer.length === 0 || answer[0] === "") return texts.lineWithoutAnswer(type);
  return { domain: fullName(name, zone), type, ttl, answer };
}

export interface LineEdit {
  readonly edit: Edit;
  /** The line of each answer of the edit; undefined for answers that were there. */
  readonly numbers: readonly (number | undefined)[];
}

/** The edits for lines: one a record; answers are added to those that a record has. */
export function editsOf(zone: string, lines: readonly Line[], rows: readonly Row[]): readonly LineEdit[] {
  const there = new Map(rows.map((row) => [row.id, row]));
  const byRecord = Map.groupBy(lines, rowId);
  return [...byRecord].map(([id, own]) => {
    const { domain, type } = own[0]!;
    const row = there.get(id);
    const isGone = row === undefined || row.edit?.action === "delete";
    const before = isGone ? [] : (row.edit?.answers ?? row.record?.answers ?? []);
    const ttl = own.findLast((line) => line.ttl !== undefined)?.ttl ?? (isGone ? undefined : row.edit?.ttl);
    const answers = [...before, ...own.map(({ answer }) => ({ answer }))];
    const action = row?.record === undefined ? "create" : row.edit?.action === "delete" ? "put" : "update";
    return {
      edit: { action, zone, domain, type, answers, ...(ttl === undefined ? {} : { ttl }) },
      numbers: [...before.map(() => undefined), ...own.map(({ number }) => number)],
    };
  });
}

/** Lines whose record takes no further answers here. */
export function refusedLines(lines: readonly Line[], rows: readonly Row[]): readonly LineError[] {
  const there = new Map(rows.map((row) => [row.id, row]));
  return lines.flatMap(({ number, ...line }) => {
    const row = there.get(rowId(line));
    const message = row?.link ? texts.lineLinked : row?.isSteered ? texts.lineSteered : undefined;
    return message === undefined ? [] : [{ number, message }];
  });
}

/** The line that a refusal of the service is about: its field begins with `records[i].answers[j]`. */
export function lineOf(field: string | undefined, edits: readonly LineEdit[]): number | undefined {
  const [, record, answer] = /^records\[(\d+)\](?:\.answers\[(\d+)\])?/.exec(field ?? "") ?? [];
  if (record === undefined) return undefined;
  const { numbers = [] } = edits[Number(record)] ?? {};
  return numbers[Number(answer ?? "-1")] ?? numbers.find((number) => number !== undefined);
}
