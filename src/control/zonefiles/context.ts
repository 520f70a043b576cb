/** The context of the routes of zone files: the usual context, and the imports of this process. */
import { routeFor } from "../../http/route/route.ts";
import type { Right } from "../access/rights.ts";
import type { Ctx } from "../write/context.ts";
import type { Imports } from "./jobs.ts";

export interface ZoneFileServices {
  /** Imports of zone files, one after the other. */
  readonly imports: Imports;
}

export type ZoneFileCtx = Ctx & ZoneFileServices;

export const route = routeFor<Right, ZoneFileCtx>();
