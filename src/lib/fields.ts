/** Fields of free-form configurations: their listing in the API, checks of values, and reading of stored values. */
import { invalid } from "./problem.ts";
import { isDecimal, isNo, isObject, isYes } from "./values.ts";

/** A field in the API's listings of types. */
export interface FieldListing {
  readonly desc: string;
  readonly type: string;
  readonly shortdesc: string;
  readonly validator: string;
  readonly required: boolean;
  readonly default: string | null;
  /** All valid values, if there is a list of them. */
  readonly choices?: readonly string[];
}

export interface Field<Value> {
  readonly listing: FieldListing;
  /** The description of valid values, in words that follow "must be". */
  readonly says: string;
  /** Whether a value is valid. */
  readonly has: (value: unknown) => boolean;
  /** Reads a stored value; an invalid one means the default. */
  readonly read: (value: unknown) => Value;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: F[Name] extends Field<infer V> ? V : never };

interface Words {
  readonly shortdesc: string;
  /** HTML; default: `shortdesc`. */
  readonly desc?: string;
  readonly required?: boolean;
}

/** A number, or a number as text; stored as it was sent. */
export function number(
  words: Words & {
    readonly default: string;
    readonly least?: number;
    readonly most?: number;
    readonly whole?: boolean;
  },
): Field<number> {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, whole = false } = words;
  const has = (value: unknown) => {
    if (typeof value !== "number" && (typeof value !== "string" || !isDecimal(value))) return false;
    const number = Number(value);
    return Number.isFinite(number) && number >= least && number <= most && (!whole || Number.isInteger(number));
  };
  const range = most < Infinity ? ` from ${least} to ${most}` : least > -Infinity ? ` of at least ${least}` : "";
  return {
    listing: listingOf(words, "number", "number", words.default),
    says: `a ${whole ? "whole " : ""}number${range}`,
    has,
    read: (value) => Number(has(value) ? value : words.default),
  };
}

/** A checkbox: true or false, 1 or 0, or any of these as text. */
export function flag(words: Words & { readonly default: "0" | "1" }): Field<boolean> {
  const has = (value: unknown) => isYes(value) || isNo(value);
  return {
    listing: listingOf(words, "checkbox", "checkbox", words.default),
    says: "true or false, 1 or 0",
    has,
    read: (value) => isYes(has(value) ? value : words.default),
  };
}

/** Text, or one of some texts; `type` is its type in listings. */
export function text(
  words: Words & { readonly default: string | null; readonly of?: readonly string[]; readonly type?: string },
): Field<string> {
  const { of, type = "text" } = words;
  const has = (value: unknown) => typeof value === "string" && (of ? of.includes(value) : value.length <= mostText);
  return {
    listing: { ...listingOf(words, type, type, words.default), ...(of ? { choices: of } : {}) },
    says: of ? `one of ${of.map((each) => `"${each}"`).join(", ")}` : `text of at most ${mostText} characters`,
    has,
    read: (value) => (has(value) ? String(value) : (words.default ?? "")),
  };
}

/** Returns the API's listing of all fields. */
export const listFields = (fields: Fields): Record<string, FieldListing> =>
  Object.fromEntries(Object.entries(fields).map(([name, { listing }]) => [name, listing]));

/**
 * Checks a configuration from a request. Throws a Problem that names a missing or invalid field. Adds and converts
 * nothing, and accepts unknown keys, since clients compare the reply with their request.
 */
export function assertConfig(fields: Fields, config: Readonly<Record<string, unknown>>, field: string): void {
  for (const [name, { listing, says, has }] of Object.entries(fields)) {
    const value = config[name] ?? undefined;
    if (value === undefined && listing.required) throw invalid(`${field}.${name} is required`, { field });
    if (value !== undefined && !has(value)) throw invalid(`${field}.${name} must be ${says}`, { field });
  }
}

/** Reads a stored configuration. Never throws: invalid values mean the default. */
export function readConfig<F extends Fields>(fields: F, config: unknown): ValuesOf<F> {
  const values = isObject(config) ? config : {};
  const entries = Object.entries(fields).map(([name, { read }]) => [name, read(values[name])]);
  // each value comes from the field of F with its type
  return Object.fromEntries(entries) as ValuesOf<F>;
}

const listingOf = (words: Words, type: string, validator: string, fallback: string | null): FieldListing => ({
  desc: words.desc ?? words.shortdesc,
  type,
  shortdesc: words.shortdesc,
  validator,
  required: words.required ?? false,
  default: fallback,
});

const mostText = 1024;
