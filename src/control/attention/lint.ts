/** Zones with probable mistakes: looked through when they have changed, and from time to time. */

import type { Linted } from "../steering/lint/zone.ts";
import type { Item } from "./item.ts";
import type { CheckedZone } from "./zone-store.ts";

/** Seconds after which an unchanged zone is looked through again: other zones decide whether its targets exist. */
const again = 86_400;
/** A zone that changes all the time is looked through for at most this share of the time, and not more often than this. */
const share = 1 / 20;
const leastPause = 10;

/** Whether a zone is to be looked through now, later because that was done just now, or not at all. */
export function lintDue(zone: CheckedZone, now: number): "now" | "later" | "no" {
  const { lint_serial, lint_at, lint_took, serial, is_own } = zone;
  if (!is_own) return "no";
  if (lint_serial === null || lint_at === null) return "now";
  if (lint_serial === serial && now - lint_at < again && lint_at <= now) return "no";
  const pause = Math.max(leastPause, (lint_took ?? 0) / share / 1000);
  return now - lint_at < pause && lint_at <= now ? "later" : "now";
}

export function lintItems(
  { id, zone }: Pick<CheckedZone, "id" | "zone">,
  { warnings, records, complete }: Linted,
): Item[] {
  if (warnings.length === 0) return [];
  const codes: Record<string, number> = {};
  for (const { code } of warnings) codes[code] = (codes[code] ?? 0) + 1;
  const count = `${complete ? "" : "at least "}${warnings.length} probable ${warnings.length === 1 ? "mistake" : "mistakes"}`;
  const message = `The zone ${zone} has ${count} (${Object.keys(codes).join(", ")}).`;
  const detail = { warnings: warnings.length, codes, records, complete };
  return [{ kind: "lint", thing: id, zone, name: zone, severity: "warning", message, detail }];
}
