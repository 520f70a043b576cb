/** Structured logs: one JSON object a line on stderr, control characters escaped by JSON itself. */
import { type Logger, pino } from "pino";

export type Log = Logger;

/** Levels as pino names them; `silent` for tests. */
export const newLog = (level: string, role: string): Log =>
  pino(
    {
      level,
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ fd: 2, sync: true }),
  );
