/** The registry of filters, in the order of the catalogue. */
import type { Filter } from "../filter.ts";
import { selectFirstN } from "./select-first-n.ts";
import { up } from "./up.ts";

export const filters: readonly Filter[] = [up, selectFirstN];
