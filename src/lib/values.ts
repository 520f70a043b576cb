/** Tests of JSON values. Clients also send numbers and flags as text, which is stored unchanged and means the same. */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns an object's own field, even if its name is `constructor` or similar. */
export const own = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;

/** Returns a copy of some fields of an object. */
export const pick = <T extends object, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> =>
  // safe: each name is a key of the object
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>;

/** Whether a sent field has a value: clients also send fields that are not set. */
export function asksFor(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Whether a text is a decimal number. */
export const isDecimal = (text: string): boolean => decimal.test(text);

/** Whether a value means true. A value that is neither `isYes` nor `isNo` is not a flag. */
export const isYes = (value: unknown): boolean => yes.includes(value);

/** Whether a value means false. */
export const isNo = (value: unknown): boolean => no.includes(value);

const decimal = /^-?\d{1,15}(\.\d{1,15})?$/;
const yes: readonly unknown[] = [true, 1, "1", "true"];
const no: readonly unknown[] = [false, 0, "0", "false"];
