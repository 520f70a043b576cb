/** A metadata value as filters count with it. */
import { isDecimal } from "../../lib/values.ts";

/** NaN when it is no number: true is 1, false is 0, and both and decimal numbers may be written as text. */
export function numberOf(value: unknown): number {
  if (typeof value === "number") return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return Number.NaN;
  if (value === "true") return 1;
  if (value === "false") return 0;
  return isDecimal(value) ? Number(value) : Number.NaN;
}
