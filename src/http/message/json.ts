/** Strict JSON: refuses ambiguous or oversized documents, and names the position of the fault. */
import { isUtf8 } from "node:buffer";
import { invalid } from "../../lib/problem.ts";

export interface JsonLimits {
  readonly depth: number;
  /** The most keys in all objects together. */
  readonly keys: number;
}

export const defaultLimits: JsonLimits = { depth: 32, keys: 10_000 };

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Parses a body; undefined when it is empty. `__proto__` is a key like any other. */
export function parseJson(octets: Uint8Array, limits: JsonLimits = defaultLimits): unknown {
  if (octets.length === 0) return undefined;
  if (!isUtf8(octets)) throw invalid(`the body is not valid UTF-8 at octet ${firstBadOctet(octets)}`);
  const text = decoder.decode(octets);
  if (text.startsWith("\ufeff")) throw invalid("the body starts with a byte order mark, which JSON does not allow");
  const value = parse(text);
  const fault = inspection(limits)(value, 1);
  if (fault) throw invalid(fault.message, { field: printPath(fault.path) });
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw invalid(`the body is not valid JSON: ${reason}`);
  }
}

/** The position of the first octet that is not valid UTF-8. */
function firstBadOctet(octets: Uint8Array): number {
  const decoded = Buffer.from(decoder.decode(octets));
  return decoded.findIndex((octet, at) => octet !== octets[at]);
}

/** Prints a path in a JSON document for people: `answers[0].meta`. */
export const printPath = (path: readonly (string | number)[]): string =>
  path
    .map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join("")
    .slice(0, 300)
    .toWellFormed();

interface Fault {
  readonly message: string;
  /** Filled from the innermost step outwards as the walk returns, so that valid documents cost no paths. */
  readonly path: (string | number)[];
}

/** Returns a function that finds the first fault in a value; `level` is the depth of the value in the document. */
function inspection({ depth, keys: mostKeys }: JsonLimits) {
  let keys = 0;
  const inspect = (value: unknown, level: number): Fault | undefined => {
    if (typeof value === "string") return faultOfText(value, "a string");
    if (typeof value === "number") return faultOfNumber(value);
    if (typeof value !== "object" || value === null) return undefined;
    if (level > depth) return { message: `JSON is nested deeper than ${depth}`, path: [] };
    return Array.isArray(value) ? inspectItems(value, level + 1) : inspectFields(value, level + 1);
  };
  const inspectItems = (items: readonly unknown[], level: number): Fault | undefined => {
    for (let at = 0; at < items.length; at++) {
      const fault = inspect(items[at], level);
      if (fault) return within(fault, at);
    }
    return undefined;
  };
  const inspectFields = (object: object, level: number): Fault | undefined => {
    for (const [key, value] of Object.entries(object)) {
      if (++keys > mostKeys) return { message: `JSON has more than ${mostKeys} keys`, path: [] };
      const fault = faultOfText(key, "a key") ?? inspect(value, level);
      if (fault) return within(fault, key);
    }
    return undefined;
  };
  return inspect;
}

function within(fault: Fault, step: string | number): Fault {
  fault.path.unshift(step);
  return fault;
}

function faultOfText(text: string, kind: "a string" | "a key"): Fault | undefined {
  if (text.includes("\0")) return { message: `${kind} contains a NUL character`, path: [] };
  if (!text.isWellFormed()) return { message: `${kind} contains half of a surrogate pair`, path: [] };
  return undefined;
}

function faultOfNumber(value: number): Fault | undefined {
  if (!Number.isFinite(value)) return { message: "a number is too large", path: [] };
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return { message: "an integer is beyond 2^53-1 and would be rounded", path: [] };
  }
  return undefined;
}
