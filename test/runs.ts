/** Properties: with how many random cases one is checked, and what the cases consist of. */
import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly isThorough?: boolean;
  }
}

/**
 * All `many` cases in the slow project, a tenth of them in the inner loop; every test run draws new ones. A wrong property
 * is usually refuted by a few cases already.
 */
export const runs = (many: number) => ({ numRuns: inject("isThorough") ? many : Math.ceil(many / 10) });

/**
 * A single character, a surrogate excepted. The library's own arbitrary of all characters first makes a table of them,
 * which takes more than a second.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((nth) => String.fromCodePoint(nth < 0xd800 ? nth : nth + 0x800));
