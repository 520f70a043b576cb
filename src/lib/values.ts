/** What values of JSON are. Clients also write numbers and flags as text: all of it is kept as it was sent, and means the same. */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field of the object itself, which may be called `constructor`. */
export const own = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;

/** Whether a field that was sent asks for anything: clients also send what they leave unset. */
export function asksFor(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Whether a text is a decimal number. */
export const isDecimal = (text: string): boolean => decimal.test(text);

/** Whether a value means true. What is neither `isYes` nor `isNo` is no flag. */
export const isYes = (value: unknown): boolean => yes.includes(value);

/** Whether a value means false. */
export const isNo = (value: unknown): boolean => no.includes(value);

const decimal = /^-?\d{1,15}(\.\d{1,15})?$/;
const yes: readonly unknown[] = [true, 1, "1", "true"];
const no: readonly unknown[] = [false, 0, "0", "false"];
