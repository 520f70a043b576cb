/** Strict JSON: refuses ambiguous or oversized documents, and names the position of the fault. */
import { isUtf8 } from "node:buffer";
import { invalid } from "../../lib/problem.ts";
import { excessIn, type Fault, type JsonLimits } from "./bounds.ts";

export const defaultLimits: JsonLimits = { depth: 32, values: 250_000, keys: 10_000 };

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Parses a body; undefined when it is empty. `__proto__` is a key like any other. */
export function parseJson(octets: Uint8Array, limits: JsonLimits = defaultLimits): unknown {
  if (octets.length === 0) return undefined;
  refuseFor(excessIn(octets, limits));
  if (!isUtf8(octets)) throw invalid(`the body is not valid UTF-8 at octet ${firstBadOctet(octets)}`);
  const text = decoder.decode(octets);
  if (text.startsWith("\ufeff")) throw invalid("the body starts with a byte order mark, which JSON does not allow");
  const value = parse(text);
  refuseFor(inspect(value));
  return value;
}

/** Parses a body that `parseJson` has accepted. */
export const parseAgain = (octets: Uint8Array): unknown => JSON.parse(decoder.decode(octets));

function refuseFor(fault: Fault | undefined): void {
  if (fault) throw invalid(fault.message, { field: printPath(fault.path) });
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

/** Finds the first fault in the texts and numbers of a value. The path is filled as the search returns. */
function inspect(value: unknown): Fault | undefined {
  if (typeof value === "string") return faultOfText(value, "a string");
  if (typeof value === "number") return faultOfNumber(value);
  if (typeof value !== "object" || value === null) return undefined;
  return Array.isArray(value) ? inspectItems(value) : inspectFields(value);
}

function inspectItems(items: readonly unknown[]): Fault | undefined {
  for (let at = 0; at < items.length; at++) {
    const fault = inspect(items[at]);
    if (fault) return within(fault, at);
  }
  return undefined;
}

function inspectFields(object: object): Fault | undefined {
  for (const [key, value] of Object.entries(object)) {
    const fault = faultOfText(key, "a key") ?? inspect(value);
    if (fault) return within(fault, key);
  }
  return undefined;
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
