/** Readers of values that the schema leaves open, such as the primaries and secondaries of a zone. Pure. */
import { apiName } from "../../../../dns/wire/name.ts";
import { invalidField, Problem } from "../../../../lib/problem.ts";
import { limits } from "../../../kit/limits.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function readFlag(value: unknown, field: string): boolean {
  if (typeof value !== "boolean") throw invalidField(field, "must be true or false");
  return value;
}

/** Reads text; empty when left out. */
export function readText(value: unknown, field: string): string {
  const text = value ?? "";
  if (typeof text !== "string") throw invalidField(field, "must be text");
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
  throw invalidField(field, `${JSON.stringify(value ?? null)} is not a host name`);
}

export function readList(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidField(field, "must be a list");
  if (value.length > limits.zoneListEntries)
    throw invalidField(field, `has more than ${limits.zoneListEntries} entries`);
  return value;
}
