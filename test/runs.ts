/** The number of draws of properties: if they are wrong, few draws refute them as well as many. */
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly isThorough?: boolean;
  }
}

/** All runs in the slow project, a tenth in the inner loop; each run draws again. */
export const runs = (many: number) => ({ numRuns: inject("isThorough") ? many : Math.ceil(many / 10) });
