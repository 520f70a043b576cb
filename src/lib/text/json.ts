/** JSON of large values: its length without composing it, and its text in steps. The values are plain: no `toJSON`, no cycles. */
import type { LongWork } from "../fair/yield.ts";

/** What JSON writes as escape sequences: controls, quotation marks, backslashes, and surrogates, which may be alone. */
const escaped = /["\\\p{Cc}\p{Cs}]/u;

/** The length of `JSON.stringify(value)`; 0 for undefined. Above `most` it stops counting, and returns a number above `most`. */
export function jsonLength(value: unknown, most = Number.POSITIVE_INFINITY): number {
  switch (typeof value) {
    case "string":
      return escaped.test(value) ? JSON.stringify(value).length : value.length + 2;
    case "number":
      return numberLength(value);
    case "boolean":
      return value ? 4 : 5;
    case "object":
      break;
    default:
      return 0;
  }
  if (value === null) return 4;
  // two brackets, and commas between the elements
  let length = 1;
  if (Array.isArray(value)) {
    for (const element of value) {
      length += (jsonLength(element, most - length) || 4) + 1;
      if (length > most) return length;
    }
    return Math.max(length, 2);
  }
  for (const [name, field] of Object.entries(value)) {
    const own = jsonLength(field, most - length);
    if (own === 0) continue;
    length += jsonLength(name) + own + 2;
    if (length > most) return length;
  }
  return Math.max(length, 2);
}

function numberLength(value: number): number {
  // the logarithm is exact enough up to here, and faster than a text
  if (Number.isInteger(value) && value >= 1 && value < 1e12) return Math.floor(Math.log10(value)) + 1;
  return Number.isFinite(value) ? String(value === 0 ? 0 : value).length : 4;
}

/** `JSON.stringify(value)`; with `work`, it gives way between the parts of a large value, and takes longer for a small one. */
export async function jsonInSteps(value: object, work: LongWork | undefined): Promise<string> {
  if (!work) return JSON.stringify(value);
  let text = "";
  for (const piece of pieces(value)) {
    text += piece;
    if (work.isDue) await work.giveWay();
  }
  return text;
}

function* pieces(value: object): Generator<string> {
  const isList = Array.isArray(value);
  yield isList ? "[" : "{";
  let comma = "";
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined && !isList) continue;
    const head = isList ? comma : `${comma}${JSON.stringify(name)}:`;
    comma = ",";
    if (hasObjects(field)) {
      yield head;
      yield* pieces(field);
    } else yield head + (JSON.stringify(field) ?? "null");
  }
  yield isList ? "]" : "}";
}

/** Whether a value has objects in it. Of a list only the first element counts: it is composed in steps, or as a whole. */
function hasObjects(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const fields = Array.isArray(value) ? value.slice(0, 1) : Object.values(value);
  return fields.some((field) => typeof field === "object" && field !== null);
}
