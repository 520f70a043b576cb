/** Zones whose transfers fail, that expire, or whose catalog cannot be followed. */
import { type Item, printTime } from "./item.ts";
import type { CheckedZone } from "./zone-store.ts";

/** Seconds before the end of a zone from which on its transfers are urgent, and the same as a share of its expiry. */
const soon = { seconds: 86_400, share: 1 / 4 };

export function itemsOfZone(zone: CheckedZone, now: number): Item[] {
  return [transferItem(zone, now), ...catalogItems(zone)].filter((item) => item !== undefined);
}

function transferItem(
  { id, zone, is_secondary, expired, expiry, transfer }: CheckedZone,
  now: number,
): Item | undefined {
  if (!is_secondary || transfer?.error == null) return undefined;
  const { error, last_xfr, expires_at, failures } = transfer;
  const common = { thing: id, zone, name: zone, detail: { error, failures, last_xfr, expires_at } };
  if (last_xfr === 0) {
    const message = `The zone ${zone} was never transferred, and is not answered: ${error}`;
    return { ...common, kind: "transfer_failing", severity: "error", message };
  }
  // the time of the last refresh that succeeded
  const since = expires_at - expiry;
  const cause = `transfers fail since ${printTime(since)}: ${error}`;
  if (expired) {
    const message = `The zone ${zone} has expired, and is not answered: ${cause}`;
    return { ...common, kind: "zone_expired", since: expires_at, severity: "error", message };
  }
  if (expires_at - now <= Math.min(soon.seconds, expiry * soon.share)) {
    const message = `The zone ${zone} expires at ${printTime(expires_at)}: ${cause}`;
    return { ...common, kind: "zone_expiring", since, severity: "error", message };
  }
  const message = `The zone ${zone} is answered until ${printTime(expires_at)}, but ${cause}`;
  return { ...common, kind: "transfer_failing", since, severity: "warning", message };
}

function catalogItems({ id, zone, catalog_state }: CheckedZone): Item[] {
  if (!catalog_state) return [];
  const { error, held } = catalog_state;
  const common = { thing: id, zone, name: zone };
  const items: Item[] = [];
  if (error !== null) {
    const message = `The catalog ${zone} cannot be followed: ${error}`;
    items.push({ ...common, kind: "catalog_failing", severity: "warning", message, detail: { error } });
  }
  if (held !== null) {
    const { count, zones, digest } = held;
    const message = `The catalog ${zone} would remove ${count} zones, and waits for a confirmation.`;
    items.push({ ...common, kind: "catalog_held", severity: "warning", message, detail: { count, zones, digest } });
  }
  return items;
}
