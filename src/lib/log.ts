/** Structured logs on stderr, with lines of bounded length: readable text on a terminal, otherwise JSON. */
import { isatty } from "node:tty";
import { type Logger, pino } from "pino";
import { printable } from "./text/text.ts";
import { isObject } from "./values.ts";

export type Log = Logger;

/** Characters of a line above which its long texts are cut, and the characters that remain of such a text. */
const longest = 8192;
const longestCut = 512;

/** Makes a log. Levels have pino's names; tests use `silent`. JSON escapes control characters itself. */
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

/** Prints time, level, role, message and the other fields, without terminal control sequences. */
function forPeople(line: string): string {
  const { time, level, role, pid: _, msg = "", ...fields } = JSON.parse(line);
  const words = [String(time).replace("T", " "), level.toUpperCase().padEnd(5), role.padEnd(10), msg];
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${valueForPeople(value)}`);
  return `${printable([...words, ...rest].join(" "))}\n`;
}

/** Prints text without blanks and quotes as it is; other values as JSON, which marks their end. */
const valueForPeople = (value: unknown) =>
  typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

/** Cuts the texts of a line; if it is still too long, keeps only the standard fields. */
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
  text.length <= longestCut ? text : `${text.slice(0, longestCut)}... (${text.length} characters)`;
