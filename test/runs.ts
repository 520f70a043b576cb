/** How often properties are tried that few draws refute as well as many, if they are wrong at all. */
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly isThorough?: boolean;
  }
}

/** As often as it says in the slow project, a tenth of it in the inner loop; each run draws anew. */
export const runs = (many: number) => ({ numRuns: inject("isThorough") ? many : Math.ceil(many / 10) });
