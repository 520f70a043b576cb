/** A zone's role for catalogs, as replies show it. */
import type { ZoneRow } from "../../../../storage/tables/zones.ts";

export function catalogReply({ id, catalog, catalog_state }: ZoneRow): Record<string, unknown> | null {
  switch (catalog?.role) {
    case undefined:
      return null;
    case "producer":
      return { role: "producer" };
    case "member": {
      const { role, of, groups, coo } = catalog;
      return { role, of, node: id, groups, coo };
    }
    case "consumed": {
      const { role, of, node, groups, coo } = catalog;
      return { role, of, node, groups, coo };
    }
    case "consumer":
      return { role: "consumer", ...stateReply(catalog_state) };
  }
}

function stateReply(state: ZoneRow["catalog_state"]) {
  const { error = null, members = 0, held = null, skipped = [], followed_at = 0 } = state ?? {};
  const status = error !== null ? "error" : held ? "held" : followed_at > 0 ? "ok" : "pending";
  return { status, error, members, held: held && { count: held.count, zones: held.zones }, skipped, followed_at };
}
