/** Reads lists in metadata: an array, or a single element without an array. */

/** The codes of a value, in capital letters; undefined (unset) if there are none. */
export function codesOf(value: unknown): ReadonlySet<string> | undefined {
  const codes = listOf(value).flatMap((code) => (typeof code === "string" && code !== "" ? code.toUpperCase() : []));
  return codes.length > 0 ? new Set(codes) : undefined;
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
