/** Items about transfers and catalogs. */
import { expect, test } from "vitest";
import type { CheckedZone } from "./zone-store.ts";
import { itemsOfZone } from "./zones.ts";

const now = 1_900_000_000;
const expiry = 10 * 86_400;
const transfer = { last_try: now, last_xfr: 1, error: "refused", expires_at: now - 3600 + expiry, failures: 3 };
const zone: CheckedZone = {
  ...{ id: "z", zone: "a.example", serial: 5, is_secondary: true, is_own: false, expired: false, expiry, transfer },
  ...{ catalog_state: null, lint_serial: null, lint_at: null, lint_took: null },
};
const shown = (changed: Partial<CheckedZone>) =>
  itemsOfZone({ ...zone, ...changed }, now).map(({ kind, severity }) => `${kind} ${severity}`);

test("a zone has an item while its transfers fail, which grows worse towards its end", () => {
  expect(shown({ transfer: { ...transfer, error: null } })).toEqual([]);
  expect(shown({ transfer: null })).toEqual([]);
  expect(shown({})).toEqual(["transfer_failing warning"]);
  expect(shown({ transfer: { ...transfer, expires_at: now + 80_000 } })).toEqual(["zone_expiring error"]);
  const short = { expiry: 40_000, transfer: { ...transfer, expires_at: now + 30_000 } };
  expect(shown(short)).toEqual(["transfer_failing warning"]);
  expect(itemsOfZone({ ...zone, ...short }, now)[0]?.since).toBe(now - 10_000);
  expect(shown({ expired: true })).toEqual(["zone_expired error"]);
  expect(shown({ expired: true, transfer: { ...transfer, last_xfr: 0 } })).toEqual(["transfer_failing error"]);
  expect(shown({ is_secondary: false })).toEqual([]);
});

test("a message names the zone, the times and the error", () => {
  expect(itemsOfZone(zone, now)[0]?.message).toBe(
    "The zone a.example is answered until 2030-03-27 16:46 UTC, but transfers fail since 2030-03-17 16:46 UTC: refused",
  );
});

test("a catalog that cannot be followed has an item, and so has one that waits for a confirmation", () => {
  const state = { members: 1, serial: 1, error: null, skipped: [], held: null, followed_at: now };
  const healthy = { is_secondary: false };
  expect(shown({ ...healthy, catalog_state: state })).toEqual([]);
  const held = { digest: "d", count: 2, zones: ["b.example"] };
  expect(shown({ ...healthy, catalog_state: { ...state, error: "no version", held } })).toEqual([
    "catalog_failing warning",
    "catalog_held warning",
  ]);
});
