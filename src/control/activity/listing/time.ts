/** Times as callers of the log write them: Unix seconds, ISO 8601, "-7d", "yesterday". Only what is certain is taken. */
import type { ParsedResult } from "chrono-node";
import { invalid } from "../../../lib/problem.ts";

/** Which end of a stretch of time is meant by one, so that a day is its first second or its last. */
type End = "start" | "end";

const maxLength = 60;
const secondsOfDay = 86_400;

/** Unix seconds; `now` too. Throws `invalid` naming the field and what was written. */
export async function readTime(text: string, field: End, now: number): Promise<number> {
  const refused = (why: string) => invalid(`${field}: "${text.slice(0, maxLength)}" ${why}`, { field });
  const given = text.trim();
  // before anything looks at it: a query may be as long as a request line
  if (given.length > maxLength) throw refused("is too long for a time");
  // a plus sign in a query that nobody encoded
  const wanted = given.replace(/^(now|[^\sT]*\dT\d\S*) (?=\d)/i, "$1+");
  if (/^\d+(\.\d+)?$/.test(wanted)) return readNumber(wanted, refused);
  if (/\dM\b/.test(wanted)) throw refused("may be minutes or months; write 1m or 1mo");
  const result = await interpret(wanted, now);
  if (result === undefined) {
    throw refused("is not a time; Unix seconds, 2026-01-31T12:00:00Z, 2026-01-31, -7d, now-1d and yesterday are");
  }
  const doubt = doubtOf(result);
  if (doubt !== undefined) throw refused(doubt);
  const at = Math.floor(result.start.date().getTime() / 1000);
  if (!(at >= 0)) throw refused("is before 1970");
  if (isInstant(result)) return at;
  const midnight = at - (at % secondsOfDay);
  return field === "start" ? midnight : midnight + secondsOfDay - 1;
}

type Refused = (why: string) => Error;

function readNumber(text: string, refused: Refused): number {
  if (/^((19|20)\d\d|(19|20)\d{6})$/.test(text))
    throw refused("may be Unix seconds or a date; write dates as 2026-01-31");
  const seconds = Math.floor(Number(text));
  if (seconds >= 1e11) throw refused("is too large for Unix seconds");
  return seconds;
}

/** Undefined unless all of the text is one time. The library is loaded when first needed: few requests do. */
async function interpret(text: string, now: number): Promise<ParsedResult | undefined> {
  const { casual } = await import("chrono-node/en");
  const phrase = text.replace(/^now\s*(?=[+-])/i, "").replace(/^\d+\s*[a-z]+$/i, "$& ago");
  // the day's own offset, wherever this process runs
  const results = casual.parse(phrase, { instant: new Date(now * 1000), timezone: "UTC" });
  const [result] = results;
  return results.length === 1 && result?.text.length === phrase.length ? result : undefined;
}

/** Why nobody can be sure which time is meant. */
function doubtOf(result: ParsedResult): string | undefined {
  const { text, start, end } = result;
  const tags = result.tags();
  if (end) return "is two times";
  if (tags.has("result/relativeDate") && /\d[-/]\d/.test(text)) return "is a date and an amount";
  const month = /\b\d{4}[-/.](\d\d?)[-/.]/.exec(text)?.[1];
  if (month !== undefined && Number(month) !== start.get("month")) return "has no such month";
  if (/\b\d\d?[-/.]\d\d?[-/.]\d/.test(text)) return "may have its month or its day first; write 2026-01-31";
  const offset = start.get("timezoneOffset");
  if (start.isCertain("timezoneOffset") && offset !== 0 && !/[+-]\d/.test(text)) {
    return "has a time zone that several places call so; write its offset, such as +01:00";
  }
  if (isAmount(result)) return undefined;
  if (/morning|afternoon|evening|night/i.test(text)) return "has no hour; write one, such as 15:00";
  const isWhole = start.isCertain("year") && start.isCertain("month") && start.isCertain("day");
  return isWhole && !tags.has("result/relativeDate") ? undefined : "may be several times; write year, month and day";
}

/** A number of hours or days from now, unlike "last week", of which nobody knows where it begins. */
const isAmount = (result: ParsedResult) => result.tags().has("result/relativeDate") && /\d|ago$/i.test(result.text);

const isInstant = (result: ParsedResult) => result.start.isCertain("hour") || isAmount(result);
