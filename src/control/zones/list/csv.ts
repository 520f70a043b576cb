/** The list of zones as a file: all of its pages, one line per zone. */
import { timeText } from "../../../lib/clock.ts";
import { inPieces } from "../../../lib/files/spool.ts";
import { csvLine } from "../../../lib/text/csv.ts";
import { jsonText } from "../../../lib/text/text.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesZone } from "../../access/access.ts";
import type { Ctx } from "../../write/context.ts";
import { answeredZones } from "../model/zone/link.ts";
import { delegationsOf } from "./present.ts";
import { listZones, type ZonePlace } from "./store.ts";
import { right, type WantedZones } from "./wanted.ts";

/** Zones that are read at once: each read of a sorted list looks at all zones of the account. */
const batch = 5000;

type Column = readonly [name: string, of: (row: ZoneRow) => string];

const columns: readonly Column[] = [
  ["zone", ({ zone }) => zone],
  ["unicode", ({ zone, unicode }) => unicode ?? zone],
  ["kind", ({ link, secondary }) => (link !== null ? "linked" : secondary ? "secondary" : "primary")],
  ["status", ({ disabled }) => (disabled ? "disabled" : "enabled")],
  ["link", ({ link }) => link ?? ""],
  ["networks", ({ networks }) => networks.join(" ")],
  ["dns_servers", ({ dns_servers }) => dns_servers.join(" ")],
  ["serial", ({ serial }) => String(serial)],
  ["ttl", ({ ttl }) => String(ttl)],
  ["tags", ({ tags }) => jsonText(tags)],
  ["created (UTC)", ({ created_at }) => timeText(created_at)],
  ["updated (UTC)", ({ updated_at }) => timeText(updated_at)],
  ["id", ({ id }) => id],
];

export const zonesAsCsv = (ctx: Ctx, wanted: WantedZones, withDelegation: boolean) =>
  inPieces(print(ctx, wanted, withDelegation));

async function* print(ctx: Ctx, wanted: WantedZones, withDelegation: boolean): AsyncGenerator<string> {
  const { db, account_id, caller } = ctx;
  yield csvLine([...columns.map(([name]) => name), ...(withDelegation ? ["delegation", "looked at (UTC)"] : [])]);
  for (let after: ZonePlace | undefined; ; ) {
    const { items, isLast } = await listZones(db, account_id, wanted, after, batch);
    const open = items.filter(({ zone }) => reachesZone(caller.access, right, zone));
    const rows = await answeredZones(
      ctx,
      open.map(({ row }) => row),
    );
    const delegationOf = withDelegation ? await delegationsOf(ctx, rows) : undefined;
    for (const row of rows) {
      const { state, looked_at } = delegationOf?.(row) ?? {};
      const delegation = state === undefined ? [] : [state, looked_at ? timeText(looked_at) : ""];
      yield csvLine([...columns.map(([, of]) => of(row)), ...delegation]);
    }
    if (isLast) return;
    after = items.at(-1) ?? after;
  }
}
