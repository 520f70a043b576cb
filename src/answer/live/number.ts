/** Reads metadata values as numbers. */
import { isDecimal } from "../../lib/values.ts";

/** True is 1, false is 0; decimal numbers, true and false may be text. NaN for other values. */
export function numberOf(value: unknown): number {
  if (typeof value === "number") return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return Number.NaN;
  if (value === "true") return 1;
  if (value === "false") return 0;
  return isDecimal(value) ? Number(value) : Number.NaN;
}
