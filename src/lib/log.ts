/** Structured logs: one JSON object a line on stderr, control characters escaped by JSON itself, of a bounded length. */
import { type Logger, pino } from "pino";
import { isObject } from "./values.ts";

export type Log = Logger;

/** Characters of a line beyond which long texts in it are cut, and of such a text what is kept. */
const longest = 8192;
const kept = 512;

/** Levels as pino names them; `silent` for tests. */
export const newLog = (level: string, role: string): Log =>
  pino(
    {
      level,
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => (line.length > longest ? shortened(line) : line) },
    },
    pino.destination({ fd: 2, sync: true }),
  );

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
