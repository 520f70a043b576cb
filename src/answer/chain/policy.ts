/** The record's policy for when the `up` filter finds that no answer is up. */
import { isObject } from "../../lib/values.ts";
import type { Columns } from "../filters/contract/columns.ts";
import type { Selection } from "../model/selection.ts";
import type { SteeringSettings } from "../model/steering-settings.ts";

/**
 * - `serve_all`: selects all answers of the record, including answers that earlier filters eliminated
 * - `last_healthy`: keeps the answers whose feed reported them down most recently
 * - `group`: selects all answers of the region `group`, if the record names that region
 * - `nothing`: no answer is left
 *
 * Without a policy, or if the policy does not apply, the current answers stay selected.
 */
export const allDownPolicies = ["serve_all", "last_healthy", "group", "nothing"] as const;

export interface Regions {
  /** Region number by answer; 0 is no region. */
  readonly regions: Int32Array;
  readonly regionNames: readonly string[];
}

/** Compiles the policy of a record; any stored value is accepted. */
export function allDownOf(
  { all_down, answers }: SteeringSettings,
  columns: Columns,
  { regions, regionNames }: Regions,
): (selection: Selection) => void {
  const { policy, group } = isObject(all_down) ? all_down : {};
  switch (policy) {
    case "serve_all":
      return (selection) => selection.fill(answers.length);
    case "nothing":
      return (selection) => selection.cut(0);
    case "last_healthy":
      return lastHealthy(columns.changedAt("up"));
    case "group":
      return toGroup(answers.length, regions, typeof group === "string" ? regionNames.indexOf(group) : -1);
    default:
      return () => undefined;
  }
}

function lastHealthy(changedAt: (answer: number) => number): (selection: Selection) => void {
  return (selection) => {
    let latest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < selection.count; i++) {
      const at = changedAt(selection.answer(i));
      if (at > latest) latest = at;
    }
    if (latest === Number.NEGATIVE_INFINITY) return;
    let kept = 0;
    for (let i = 0; i < selection.count; i++) {
      if (changedAt(selection.answer(i)) === latest) selection.move(i, kept++);
    }
    selection.cut(kept);
  };
}

function toGroup(answers: number, regions: Int32Array, region: number): (selection: Selection) => void {
  if (region <= 0) return () => undefined;
  return (selection) => {
    selection.fill(answers);
    let kept = 0;
    for (let i = 0; i < answers; i++) if (regions[i] === region) selection.move(i, kept++);
    selection.cut(kept);
  };
}
