/** The length of a value as JSON, without composing it. Values are plain: no `toJSON`, no cycles. */

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
  for (const name of Object.keys(value)) {
    const own = jsonLength(value[name as keyof typeof value], most - length);
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
