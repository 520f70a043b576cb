/** What a steered record's chain is made from, as it travels in the image. */
import { isObject, isYes } from "../../lib/values.ts";

export interface Recipe {
  /** `A`, `CNAME`, ... */
  readonly type: string;
  readonly answers: readonly RecipeAnswer[];
  readonly meta: unknown;
  /** Name to `{meta}`. */
  readonly regions: unknown;
  /** The enabled and the disabled ones, as they are stored. */
  readonly filters: readonly unknown[];
  readonly use_client_subnet: boolean;
  /** What happens when the `up` filter finds no answer up: see policy.ts. */
  readonly all_down?: unknown;
  /** The largest share, 0 to 1, of the answers that live data may remove. */
  readonly live_guard?: unknown;
}

export interface RecipeAnswer {
  readonly meta?: unknown;
  readonly region?: unknown;
}

/** Whether filters have a say in the record's answers. */
export const isSteered = (filters: readonly unknown[] | undefined) =>
  filters?.some((filter) => isObject(filter) && !isDisabled(filter)) ?? false;

export const isDisabled = (filter: Readonly<Record<string, unknown>>) => isYes(filter["disabled"]);
