/** Structured logs on stderr: a line for people on a terminal, otherwise one JSON object a line, of a bounded length. */
import { isatty } from "node:tty";
import { type Logger, pino } from "pino";
import { printable } from "./text/text.ts";
import { isObject } from "./values.ts";

export type Log = Logger;

/** Characters of a line beyond which long texts in it are cut, and of such a text what is kept. */
const longest = 8192;
const kept = 512;

/** Levels as pino names them; `silent` for tests. JSON escapes control characters itself. */
export const newLog = (level: string, role: string, isTerminal = isatty(2)): Log =>
  pino(
    {
      level,
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite(line) {
          const short = line.length > longest ? shortened(line) : line;
          return isTerminal ? forPeople(short) : short;
        },
      },
    },
    pino.destination({ fd: 2, sync: true }),
  );

/** Time, level, role and message, then the other fields. Nothing in it is obeyed by a terminal. */
function forPeople(line: string): string {
  const { time, level, role, pid: _, msg = "", ...fields } = JSON.parse(line);
  const words = [String(time).replace("T", " "), level.toUpperCase().padEnd(5), role.padEnd(10), msg];
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${valueForPeople(value)}`);
  return `${printable([...words, ...rest].join(" "))}\n`;
}

/** A text without blanks and quotes as it is; otherwise JSON, which shows where it ends. */
const valueForPeople = (value: unknown) =>
  typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

/** The same line with its texts cut; without what is nested when there is too much of it. */
function shortened(line: string): string {
  const fields: unknown = JSON.parse(line);
  const cut = `${JSON.stringify(cutIn(fields))}\n`;
  if (cut.length <= longest || !isObject(fields)) return cut;
  const known = ["level", "time", "role", "pid", "msg"].flatMap((name) => {
    return name in fields ? [[name, cutIn(fields[name])]] : [];
  });
  return `${JSON.stringify({ ...Object.fromEntries(known), cut: `${line.length} characters` })}\n`;
}

function cutIn(value: unknown): unknown {
  if (typeof value === "string") return cutText(value);
  if (Array.isArray(value)) return value.map(cutIn);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [cutText(name), cutIn(one)]));
}

const cutText = (text: string) =>
  text.length <= kept ? text : `${text.slice(0, kept)}... (${text.length} characters)`;
