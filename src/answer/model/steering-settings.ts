/** The settings of a steered record, as the image holds them: its chain is compiled from them. */
import { isObject, isYes } from "../../lib/values.ts";

export interface SteeringSettings {
  /** `A`, `CNAME`, ... */
  readonly type: string;
  readonly answers: readonly SteeredAnswer[];
  readonly meta: unknown;
  /** `{meta}` by region name. */
  readonly regions: unknown;
  /** All filters as they are stored, including disabled filters. */
  readonly filters: readonly unknown[];
  readonly use_client_subnet: boolean;
  /** The policy for when the `up` filter finds that no answer is up: see policy.ts. */
  readonly all_down?: unknown;
  /** The largest share of the answers, from 0 to 1, that values of feeds may remove. */
  readonly live_guard?: unknown;
}

export interface SteeredAnswer {
  readonly meta?: unknown;
  readonly region?: unknown;
}

/** Whether the record has an enabled filter. */
export const isSteered = (filters: readonly unknown[] | undefined) =>
  filters?.some((filter) => isObject(filter) && !isDisabled(filter)) ?? false;

export const isDisabled = (filter: Readonly<Record<string, unknown>>) => isYes(filter["disabled"]);
