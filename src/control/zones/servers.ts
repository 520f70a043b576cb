/** The NS record at the apex of a zone, which the service keeps equal to the zone's name servers. */

import { newId } from "../../lib/ids.ts";
import type { RecordRow } from "../../storage/tables/records.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import type { Ctx } from "../write/context.ts";
import { findLinksTo } from "./model/record/link-store.ts";
import { plain } from "./model/record/plain.ts";
import { settleLinks } from "./records/links.ts";
import { putRecord } from "./records/put.ts";

/** Creates the NS record of a zone. */
export async function addServers(ctx: Ctx, zone: ZoneRow): Promise<void> {
  const created = { before: undefined, after: serversRecord(zone, ctx.now) };
  putRecord(ctx, created);
  // a record of another zone may have been linked to this one before
  const isTarget = (await findLinksTo(ctx.db, zone.account_id, [created.after], 1)).length > 0;
  if (isTarget) await settleLinks(ctx, [created]);
}

/** Replaces a transferred NS record with one that has the zone's own name servers. */
export async function replaceServers(ctx: Ctx, zone: ZoneRow): Promise<void> {
  const { record, targets } = await lockServers(ctx, zone);
  if (record) await putServers(ctx, zone, record, targets);
  else if (zone.dns_servers.length > 0) await addServers(ctx, zone);
}

/** Updates the NS record after a change of the name servers, unless a client has changed or deleted the record. */
export async function updateServers(ctx: Ctx, zone: ZoneRow, before: ZoneRow): Promise<void> {
  const servers = (row: Pick<ZoneRow, "dns_servers">) => row.dns_servers.join(" ");
  if (servers(zone) === servers(before)) return;
  const { record, targets } = await lockServers(ctx, zone);
  if (!record) {
    if (before.dns_servers.length === 0) await addServers(ctx, zone);
    return;
  }
  const isUnchanged =
    record.link === null && record.answers.map(({ answer }) => answer[0]).join(" ") === servers(before);
  if (isUnchanged) await putServers(ctx, zone, record, targets);
}

/** Locks the apex in the way that record writes do, since those may run while the zone's settings change. */
async function lockServers(ctx: Ctx, { account_id, zone }: ZoneRow) {
  const found = await ctx.names.lock(account_id, zone, [zone]);
  return { record: found?.records.find(({ type }) => type === "NS"), targets: found?.targets };
}

async function putServers(ctx: Ctx, zone: ZoneRow, before: RecordRow, targets?: ReadonlySet<string>): Promise<void> {
  const { answers } = serversRecord(zone, ctx.now);
  const after = answers.length > 0 ? { ...before, answers, updated_at: ctx.now } : undefined;
  putRecord(ctx, { before, after });
  await settleLinks(ctx, [{ before, after }], { targets, confirmation: { confirm_deletions: true } });
}

const serversRecord = (zone: ZoneRow, now: number): RecordRow => ({
  ...plain,
  account_id: zone.account_id,
  zone_id: zone.id,
  domain: zone.zone,
  type: "NS",
  id: newId(),
  ttl: zone.nx_ttl,
  use_client_subnet: false,
  answers: zone.dns_servers.map((server) => ({ answer: [server], id: newId(), meta: {} })),
  created_at: now,
  updated_at: now,
});
