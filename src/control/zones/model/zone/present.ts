/** A zone as replies and its history present it. */

import { mostOctets, nameFromApi } from "../../../../dns/wire/name.ts";
import { pick } from "../../../../lib/values.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import type { Change } from "../../../../sync/change.ts";
import { zoneKeyContext } from "../../../../sync/peers.ts";
import { zoneState } from "../../../../sync/state.ts";
import { reachesSettings } from "../../../access/access.ts";
import type { Ctx } from "../../../write/context.ts";
import { type ZoneEntry, type ZoneFields, zoneFields } from "../../../write/history.ts";
import { shownKeyName } from "../../tsig/key.ts";
import { catalogReply } from "./catalog.ts";
import type { Zone, ZoneOnly } from "./schema.ts";

/** The context of the caller who reads the zone. */
export type Reader = Pick<Ctx, "secrets" | "caller" | "settings">;

/** `records` come before `meta`, as in the schema. */
export const zoneReply = (ctx: Reader, row: ZoneRow, records: Zone["records"]): Zone => ({
  nx_ttl: row.nx_ttl,
  retry: row.retry,
  zone: row.zone,
  dnssec: row.dnssec,
  network_pools: row.network_pools,
  primary: primaryReply(row),
  refresh: row.refresh,
  expiry: row.expiry,
  dns_servers: row.dns_servers,
  ...(records && { records }),
  meta: row.meta,
  link: row.link,
  serial: row.serial,
  ttl: row.ttl,
  id: row.id,
  hostmaster: row.hostmaster,
  networks: [...row.networks],
  pool: row.pool,
  disabled: row.disabled,
  primary_master: row.primary_master,
  secondary: secondaryReply(ctx, row),
  catalog: catalogReply(row),
  tags: row.tags,
  local_tags: ctx.settings.edition === "ddi" ? Object.keys(row.tags) : row.local_tags,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const zoneOnly = (ctx: Reader, row: ZoneRow): ZoneOnly => zoneReply(ctx, row, undefined);

/** The secondaries, each with the fields that were sent and are not used. */
const primaryReply = ({ primary: { enabled, secondaries } }: ZoneRow) => ({
  enabled,
  secondaries: secondaries.map(({ kept, tsig_key, ...secondary }) => ({
    ...secondary,
    ...(tsig_key === undefined ? {} : { tsig_key: shownKeyName(tsig_key) }),
    ...kept,
  })),
});

/** The primaries and the state of the transfer. Callers who may change the zone also see the secret. */
function secondaryReply({ secrets, caller: { access } }: Reader, row: ZoneRow) {
  const { id, zone, secondary, secondary_key, transfer, expired } = row;
  if (!secondary) return row.was_secondary ? noLongerSecondary : null;
  const { error = null, last_xfr = 0, last_try = 0 } = transfer ?? {};
  const expires_at = last_xfr > 0 ? transfer!.expires_at : 0;
  const status = error !== null ? "error" : last_xfr > 0 ? "ok" : "pending";
  const mayChange = reachesSettings(access, "dns.manage_zones", zone);
  const isShown = secondary_key !== null && mayChange;
  const key = isShown ? { key: secrets.open(secondary_key, zoneKeyContext(id)) } : {};
  const tsig = secondary.tsig && { ...secondary.tsig, name: shownKeyName(secondary.tsig.name), ...key };
  return { ...secondary, tls: secondary.tls ?? null, status, error, last_xfr, last_try, expires_at, expired, tsig };
}
/** Clients that once made the zone secondary compare their settings with this. Sent back, it changes nothing. */
const noLongerSecondary = {
  ...{ enabled: false, primary_ip: null, primary_port: 53, other_ips: [], other_ports: [] },
  ...{ tls: null, status: "pending", error: null, last_xfr: 0, last_try: 0, expires_at: 0, expired: false, tsig: null },
};

/** Translates a name between a linked zone and its target. */
export const renamed = (domain: string, from: string, to: string): string =>
  from === to ? domain : domain.slice(0, -from.length) + to;

/** Translates a name of a target into a linked zone; undefined if it becomes too long: no query can ask for it. */
export function renamedInto(linked: string, domain: string, target: string): string | undefined {
  const name = renamed(domain, target, linked);
  // an octet takes at least one character, except those of the first length and the root
  if (name.length <= mostOctets - 2) return name;
  const octets = (text: string) => nameFromApi(text).length;
  return octets(domain) - octets(target) + octets(linked) <= mostOctets ? name : undefined;
}

export const fieldsOf = (row: ZoneRow): ZoneFields => pick(row, zoneFields);

/** Adds the change, the growth and the history of a zone; the caller writes its row. */
export function noteZone({ changes }: Ctx, before: ZoneRow | undefined, after: ZoneRow | undefined): void {
  const { id } = (after ?? before)!;
  const step: Change = after ? { kind: "zone", zone: zoneState(after) } : { kind: "zone_removed", zone_id: id };
  changes.grow({ octets: octetsOf(after) - octetsOf(before) });
  changes.add(id, [step], { removed: before && zoneHistory(before), added: after && zoneHistory(after) });
}

/** The size of a zone without its records as quotas count it. */
const octetsOf = (row: ZoneRow | undefined): number =>
  row ? Buffer.byteLength(JSON.stringify([row.meta, row.tags, row.local_tags, row.primary, row.secondary])) : 0;

/** The zone's own fields as its history keeps them. */
const zoneHistory = (row: ZoneRow): ZoneEntry => ({
  kind: "zone",
  zone: { id: row.id, zone: row.zone, ...fieldsOf(row), created_at: row.created_at, updated_at: row.updated_at },
});
