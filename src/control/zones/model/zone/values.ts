/** Readers of values that the schema leaves open, such as the primaries and secondaries of a zone. Pure. */
import { apiName } from "../../../../dns/wire/name.ts";
import { invalid, Problem } from "../../../../lib/problem.ts";
import { limits } from "../../../kit/limits.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function readFlag(value: unknown, field: string): boolean {
  if (typeof value !== "boolean") throw invalid(`${field}: must be true or false`, { field });
  return value;
}

/** Reads text; empty when left out. */
export function readText(value: unknown, field: string): string {
  const text = value ?? "";
  if (typeof text !== "string") throw invalid(`${field}: must be text`, { field });
  return text;
}

/** Reads a host name in the API's spelling. Throws for an address. */
export function readHostName(value: unknown, field: string): string {
  try {
    const name = typeof value === "string" ? apiName(value) : "";
    if (/^([a-z0-9_-]+\.)*[a-z][a-z0-9-]*$/.test(name)) return name;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  throw invalid(`${field}: ${JSON.stringify(value ?? null)} is not a host name`, { field });
}

export function readList(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`${field}: must be a list`, { field });
  if (value.length > limits.zoneListEntries)
    throw invalid(`${field}: has more than ${limits.zoneListEntries} entries`, { field });
  return value;
}
