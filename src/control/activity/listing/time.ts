/** Parsing times in queries of the log: Unix seconds, ISO 8601, "-7d", "yesterday". Ambiguous times are refused. */
import type { ParsedResult } from "chrono-node";
import { invalid } from "../../../lib/problem.ts";

/** Which end of a period a time is: a day means its first second as the start, and its last second as the end. */
type End = "start" | "end";

const mostLength = 60;
const secondsOfDay = 86_400;

/** Returns Unix seconds; `now` is in Unix seconds too. Throws `invalid` with the field and the text. */
export async function readTime(text: string, field: End, now: number): Promise<number> {
  const refused = (why: string) => invalid(`${field}: "${text.slice(0, mostLength)}" ${why}`, { field });
  const given = text.trim();
  // checked first: a query may be as long as a request line
  if (given.length > mostLength) throw refused("is too long for a time");
  // a plus sign that was not encoded in the query arrives as a space
  const wanted = given.replace(/^(now|[^\sT]*\dT\d\S*) (?=\d)/i, "$1+");
  if (/^\d+(\.\d+)?$/.test(wanted)) return readNumber(wanted, refused);
  if (/\dM\b/.test(wanted)) throw refused("could mean minutes or months; write 1m or 1mo");
  const result = await interpret(wanted, now);
  if (result === undefined) {
    throw refused("is not a time; use Unix seconds, 2026-01-31T12:00:00Z, 2026-01-31, -7d, now-1d or yesterday");
  }
  const ambiguity = ambiguityOf(result);
  if (ambiguity !== undefined) throw refused(ambiguity);
  const at = Math.floor(result.start.date().getTime() / 1000);
  if (!(at >= 0)) throw refused("is before 1970");
  if (isInstant(result)) return at;
  const midnight = at - (at % secondsOfDay);
  return field === "start" ? midnight : midnight + secondsOfDay - 1;
}

type Refused = (why: string) => Error;

function readNumber(text: string, refused: Refused): number {
  if (/^((19|20)\d\d|(19|20)\d{6})$/.test(text))
    throw refused("could be Unix seconds or a date; write dates as 2026-01-31");
  const seconds = Math.floor(Number(text));
  if (seconds >= 1e11) throw refused("is too large for Unix seconds");
  return seconds;
}

/**
 * Returns undefined unless the whole text is one time. The library is loaded when first needed, since few requests need
 * it.
 */
async function interpret(text: string, now: number): Promise<ParsedResult | undefined> {
  const { casual } = await import("chrono-node/en");
  const phrase = text.replace(/^now\s*(?=[+-])/i, "").replace(/^\d+\s*[a-z]+$/i, "$& ago");
  // UTC, independent of the time zone of this process
  const results = casual.parse(phrase, { instant: new Date(now * 1000), timezone: "UTC" });
  const [result] = results;
  return results.length === 1 && result?.text.length === phrase.length ? result : undefined;
}

/** The reason why the time is ambiguous; undefined if it is clear. */
function ambiguityOf(result: ParsedResult): string | undefined {
  const { text, start, end } = result;
  const tags = result.tags();
  if (end) return "contains two times";
  if (tags.has("result/relativeDate") && /\d[-/]\d/.test(text)) return "contains both a date and a relative time";
  const month = /\b\d{4}[-/.](\d\d?)[-/.]/.exec(text)?.[1];
  if (month !== undefined && Number(month) !== start.get("month")) return "has no such month";
  if (/\b\d\d?[-/.]\d\d?[-/.]\d/.test(text)) return "could have its month or its day first; write 2026-01-31";
  const offset = start.get("timezoneOffset");
  if (start.isCertain("timezoneOffset") && offset !== 0 && !/[+-]\d/.test(text)) {
    return "has an ambiguous time zone; write its offset, such as +01:00";
  }
  if (isAmount(result)) return undefined;
  if (/morning|afternoon|evening|night/i.test(text)) return "has no hour; write one, such as 15:00";
  const isWhole = start.isCertain("year") && start.isCertain("month") && start.isCertain("day");
  return isWhole && !tags.has("result/relativeDate")
    ? undefined
    : "could mean several times; write year, month and day";
}

/** Whether the time is a number of hours or days from now. "last week" is not, since its beginning is unclear. */
const isAmount = (result: ParsedResult) => result.tags().has("result/relativeDate") && /\d|ago$/i.test(result.text);

const isInstant = (result: ParsedResult) => result.start.isCertain("hour") || isAmount(result);
