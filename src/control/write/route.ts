/** The `route` function of this service: a misspelt right does not compile. */
import { routeFor } from "../../http/route/route.ts";
import type { Right } from "../access/rights.ts";
import type { Ctx } from "./context.ts";

export const route = routeFor<Right, Ctx>();
