/** How many random cases a property is checked with. A wrong property is usually refuted by a few cases already. */
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly isThorough?: boolean;
  }
}

/** All `many` cases in the slow project, a tenth of them in the inner loop; every test run draws new ones. */
export const runs = (many: number) => ({ numRuns: inject("isThorough") ? many : Math.ceil(many / 10) });
