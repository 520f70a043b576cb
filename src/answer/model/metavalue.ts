/** The kinds of metadata values: numbers, texts, codes of places, prefixes, and lists of them. */
import { scanPrefix } from "../../lib/address/ip.ts";
import { isDecimal, isObject } from "../../lib/values.ts";
import { subdivisions } from "./places.ts";

/** How a form asks for a value. */
export interface Form {
  /** `json` for values that have more than one part. */
  readonly type: "checkbox" | "number" | "text" | "select" | "json";
  /** The values of a `select`. */
  readonly choices?: () => readonly string[];
  /** Whether the value may be a list of these. */
  readonly many?: true;
}

/** A kind of value: its description for messages, the test of a value, and its form. */
export interface Kind {
  readonly says: string;
  readonly has: (value: unknown) => boolean;
  readonly form: Form;
}

export function kind(says: string, has: Kind["has"], form: Form = { type: "json" }): Kind {
  return { says, has, form };
}

export function text(longest: number): Kind {
  return kind(`text of up to ${longest} characters`, (value) => typeof value === "string" && value.length <= longest, {
    type: "text",
  });
}

/** Accepts numbers and decimal text; the value is returned as it was sent. */
export function number(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): Kind {
  const range = most < Infinity ? ` from ${least} to ${most}` : least > -Infinity ? ` of at least ${least}` : "";
  return kind(`a number${range}`, (value) => isNumeric(value, least, most), { type: "number" });
}

export function integer(least: number): Kind {
  const whole = (value: unknown) => isNumeric(value, least, Number.MAX_SAFE_INTEGER) && Number.isInteger(Number(value));
  return kind(`a whole number of at least ${least}`, whole, { type: "number" });
}

export function isNumeric(value: unknown, least: number, most: number): boolean {
  if (typeof value === "string" && !isDecimal(value)) return false;
  if (typeof value !== "string" && typeof value !== "number") return false;
  return Number.isFinite(Number(value)) && Number(value) >= least && Number(value) <= most;
}

export function oneOf(what: string, codes: () => readonly string[]): Kind {
  let known: ReadonlySet<string> | undefined;
  const has = (value: unknown) => {
    known ??= new Set(codes());
    return typeof value === "string" && known.has(value.toUpperCase());
  };
  return kind(what, has, { type: "select", choices: codes });
}

/** An array, or a single element without an array. */
export function list(most: number, of: Kind): Kind {
  const has = (value: unknown) => (Array.isArray(value) ? value.length <= most && value.every(of.has) : of.has(value));
  return kind(`an array of up to ${most} elements, each ${of.says}`, has, { ...of.form, many: true });
}

export function either(one: Kind, other: Kind): Kind {
  return kind(`${one.says}, or ${other.says}`, (value) => one.has(value) || other.has(value));
}

export function areSubdivisions(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([country, codes]) => {
    const place = country.toUpperCase();
    return (
      subdivisions().has(place) &&
      Array.isArray(codes) &&
      codes.every((code) => isPart(place, subdivisionCode(code, place)))
    );
  });
}

/** Codes change with the years, so a code need not be in our list, except where nothing has changed for long. */
const isPart = (country: string, code: string) =>
  country === "US" || country === "CA" ? subdivisions().get(country)?.includes(code) : /^[A-Z0-9]{1,3}$/.test(code);

/** A subdivision's code without its country: `03` for `03` and for `NO-03`. */
export function subdivisionCode(code: unknown, country: string): string {
  const text = String(code).toUpperCase();
  return text.startsWith(`${country}-`) ? text.slice(country.length + 1) : text;
}

export const isPrefix = (value: unknown): boolean => typeof value === "string" && scanPrefix(value) !== undefined;
