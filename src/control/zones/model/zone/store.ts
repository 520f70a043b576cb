/** SQL of zones and of the claims on their names. */

import { sql, type Updateable } from "kysely";
import { ancestorsOf } from "../../../../dns/wire/name.ts";
import { unicodeName } from "../../../../lib/text/unicode-name.ts";
import { pick } from "../../../../lib/values.ts";
import { across } from "../../../../storage/fence/exceptions.ts";
import type { ZoneRow, ZoneTable } from "../../../../storage/tables/zones.ts";
import { type Db, rowsOf, statement } from "../../../kit/store.ts";
import { type ZoneFields, zoneFields } from "../../../write/history.ts";
import { defaultView, sharedGate, wholeGate } from "../../../write/zone-lock.ts";
import type { ClaimScope } from "./ownership.ts";

type Find = (db: Db, account_id: string, zone: string) => Promise<ZoneRow | undefined>;

export const findZone: Find = (db, account_id, zone) => zoneNamed(db, account_id, zone).executeTakeFirst();

export const findZoneById = (db: Db, account_id: string, id: string): Promise<ZoneRow | undefined> =>
  db.selectFrom("zone").selectAll().where("account_id", "=", account_id).where("id", "=", id).executeTakeFirst();

/** The zone, locked against every other writer of the zone or of its records. */
export const lockWhole: Find = (db, account_id, zone) =>
  zoneNamed(db, account_id, zone).where(sql.raw<boolean>(wholeGate)).forUpdate().executeTakeFirst();

/** The zone, locked against other writers of its settings. The lock neither waits for writers of records nor delays them. */
export const lockSettings: Find = (db, account_id, zone) =>
  zoneNamed(db, account_id, zone).where(sql.raw<boolean>(sharedGate)).forNoKeyUpdate().executeTakeFirst();

/** The target of a new link, locked against deletion. */
export const lockTarget: Find = (db, account_id, zone) =>
  zoneNamed(db, account_id, zone).where(sql.raw<boolean>(sharedGate)).forKeyShare().executeTakeFirst();

/** Names of zones that are linked to a zone. */
export async function findLinks(db: Db, account_id: string, zone: string, limit: number): Promise<string[]> {
  const links = db.selectFrom("zone").select("zone").where("account_id", "=", account_id).where("link", "=", zone);
  return (await links.orderBy("zone").limit(limit).execute()).map((row) => row.zone);
}

/** Whether any account has a zone. */
export const hasZones = async (db: Db): Promise<boolean> =>
  (await db.selectFrom("zone").select("id").limit(1).modifyEnd(across("operator")).execute()).length > 0;

export async function countZones(db: Db, account_id: string): Promise<number> {
  const all = db.selectFrom("zone").where("account_id", "=", account_id);
  return (await all.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** The query for a zone, for callers that extend it. */
export const zoneNamed = (db: Db, account_id: string, zone: string) =>
  db
    .selectFrom("zone")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("zone", "=", zone)
    .where("view", "=", defaultView);

export async function insertZone(db: Db, row: ZoneRow): Promise<void> {
  await db
    .insertInto("zone")
    .values({
      ...row,
      unicode: unicodeName(row.zone),
      ...documents(row),
      former_pools: JSON.stringify(row.former_pools),
      ...partnerDocuments(row),
      ...catalogDocuments(row),
    })
    .execute();
}

const update = (db: Db, { account_id, id }: ZoneRow, fields: Updateable<ZoneTable>) =>
  db.updateTable("zone").set(fields).where("account_id", "=", account_id).where("id", "=", id).execute();

/** Updates the fields that clients set. */
export const updateZone = (db: Db, row: ZoneRow) =>
  update(db, row, {
    ...pick(row, zoneFields),
    ...documents(row),
    former_pools: JSON.stringify(row.former_pools),
    updated_at: row.updated_at,
  });

/** Updates a zone's primaries and secondaries, and the state of its transfers. */
export const updatePartners = (db: Db, row: ZoneRow) =>
  update(db, row, {
    ...pick(row, ["secondary_key", "was_secondary", "refresh_at", "expired"]),
    ...partnerDocuments(row),
  });

/** Updates a zone's role in catalogs. */
export const updateCatalog = (db: Db, row: ZoneRow) =>
  update(db, row, { ...pick(row, ["catalog_id", "follow_at", "hidden"]), ...catalogDocuments(row) });

const partnerDocuments = ({ primary, secondary, transfer }: ZoneRow) => ({
  primary: JSON.stringify(primary),
  secondary: JSON.stringify(secondary),
  transfer: JSON.stringify(transfer),
});

const catalogDocuments = ({ catalog, catalog_state }: ZoneRow) => ({
  catalog: catalog && JSON.stringify(catalog),
  catalog_state: catalog_state && JSON.stringify(catalog_state),
});

const documents = (fields: ZoneFields) => ({
  networks: JSON.stringify(fields.networks),
  dns_servers: JSON.stringify(fields.dns_servers),
  network_pools: JSON.stringify(fields.network_pools),
  meta: JSON.stringify(fields.meta),
  tags: JSON.stringify(fields.tags),
  local_tags: JSON.stringify(fields.local_tags),
});

/**
 * Locks the domain under which a zone is claimed, and prevents claims of the domains above it, which may
 * themselves be zones. Two accounts therefore cannot claim conflicting names at the same time.
 */
export async function lockDomains(db: Db, own: string, above: readonly string[]): Promise<void> {
  const domains = [own, ...above].sort();
  await db
    .insertInto("domain_claim")
    .values(domains.map((domain) => ({ domain })))
    .onConflict((conflict) => conflict.column("domain").doNothing())
    .execute();
  for (const domain of domains) {
    const row = db.selectFrom("domain_claim").select("domain").where("domain", "=", domain);
    await (domain === own ? row.forUpdate() : row.forShare()).execute();
  }
}

/** The claim of an account on a name; `live` unless the zone is deleted. */
export type Claim = Awaited<ReturnType<typeof findClaims>>[number];

/** The claims on a name, on names above it, and on names below it. Claims of deleted zones are not live. */
export async function findClaims(db: Db, zone: string, above: readonly string[], { registrable, spans }: ClaimScope) {
  const claims = db
    .selectFrom("zone_claim")
    .leftJoin("zone", (join) =>
      join.onRef("zone.account_id", "=", "zone_claim.account_id").onRef("zone.id", "=", "zone_claim.zone_id"),
    )
    .select(["fqdn", "zone_claim.account_id", (eb) => eb("zone.id", "is not", null).$castTo<boolean>().as("live")])
    .where("zone_claim.view", "=", defaultView);
  const below = `%.${zone.replaceAll(/[\\%_]/g, "\\$&")}`;
  const [upward, downward] = await Promise.all([
    claims.where("fqdn", "in", [zone, ...above]).execute(),
    claims
      .$if(!spans, (query) => query.where("registrable", "=", registrable))
      .where("fqdn", "like", below)
      .execute(),
  ]);
  // a dot inside a label, which SQL cannot tell from one between labels, puts no name below another
  return [...upward, ...downward.filter(({ fqdn }) => ancestorsOf(fqdn).includes(zone))];
}

export async function insertClaim(
  db: Db,
  zone: Pick<ZoneRow, "account_id" | "id" | "zone" | "view">,
  registrable: string,
): Promise<void> {
  const { account_id, id: zone_id, zone: fqdn, view } = zone;
  await db.insertInto("zone_claim").values({ view, fqdn, registrable, account_id, zone_id }).execute();
}

/** Gives this zone the claim on its name. */
export async function reclaim(
  db: Db,
  { account_id, id, zone }: Pick<ZoneRow, "account_id" | "id" | "zone">,
): Promise<void> {
  await claimOf(db, account_id, zone).set({ zone_id: id }).execute();
}

export const claimOf = (db: Db, account_id: string, zone: string) =>
  db
    .updateTable("zone_claim")
    .where("view", "=", defaultView)
    .where("fqdn", "=", zone)
    .where("account_id", "=", account_id);

/** Ends the account's claim on a name, or only that of a zone or deleted zone; false if there is none. The domain must be locked. */
export async function dropClaim(db: Db, account_id: string, zone: string, zone_id?: string): Promise<boolean> {
  const dropped = await db
    .deleteFrom("zone_claim")
    .where("view", "=", defaultView)
    .where("fqdn", "=", zone)
    .where("account_id", "=", account_id)
    .$if(zone_id !== undefined, (claim) => claim.where("zone_id", "=", zone_id!))
    .returning("fqdn")
    .execute();
  return dropped.length > 0;
}

/** The zones with these names: the account's own, and those of others that are served. */
export const findVisible = (db: Db, account_id: string, names: readonly string[]) =>
  db
    .selectFrom("zone_claim")
    .innerJoin("zone", (join) =>
      join.onRef("zone.account_id", "=", "zone_claim.account_id").onRef("zone.id", "=", "zone_claim.zone_id"),
    )
    .select(["zone.account_id", "zone.zone"])
    .where("zone_claim.view", "=", defaultView)
    .where(sql<boolean>`fqdn = any(${names}::text[])`)
    .where(isVisible(account_id))
    .execute();

/** The condition that an account may learn of a zone: it is its own, or DNS answers for it somewhere. */
export const isVisible = (account_id: string) => sql<boolean>`(zone.account_id = ${account_id}
  or (zone.networks::text <> '[]' and not zone.disabled and not zone.hidden))`;

/**
 * Counts the secondaries and primaries of all zones of an account: secondaries once more for each zone that links to
 * theirs. The operator's first account has no limit, and counts nothing.
 */
export async function countPartners(db: Db, account_id: string): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(db, statement(countText, [account_id]));
  return row!.count;
}

const countText = `
  select coalesce(sum(
    case when "primary"->>'enabled' = 'true'
      then json_array_length("primary"->'secondaries') * (1 + coalesce(links.count, 0)) else 0 end
    + case when secondary->>'primary_ip' is not null then 1 + json_array_length(secondary->'other_ips') else 0 end), 0)::bigint as count
  from zone left join (
    select link, count(*) from zone where account_id = $1 and link is not null group by link
  ) as links on links.link = zone.zone
  where account_id = $1 and $1 is distinct from (select value from setting where name = 'first_account')`;
