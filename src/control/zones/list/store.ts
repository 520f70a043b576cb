/** SQL of the list of zones: what a caller asked for, in its order, page by page. */
import { type RawBuilder, sql } from "kysely";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { type Part, readPart, sizeOfAll } from "../../kit/parts.ts";
import type { Db } from "../../kit/store.ts";
import type { DelegationState } from "../delegation/compare.ts";

export const kinds = ["primary", "secondary", "linked"] as const;
export const sorts = ["name", "created", "updated", "serial"] as const;
export const orders = ["asc", "desc"] as const;

/** The zones of a list; what is undefined restricts nothing. */
export interface ZoneFilter {
  /** The names that the caller may see: only these, or all except these. */
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
  /** A pattern of LIKE for the name, in DNS or in Unicode. */
  readonly like?: string | undefined;
  readonly kind?: (typeof kinds)[number] | undefined;
  /** The name of a tag, or its name and value with a colon between them. */
  readonly tag?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly network?: number | undefined;
  readonly delegation?: DelegationState | undefined;
}

export interface ZoneOrder {
  readonly sort: (typeof sorts)[number];
  readonly order: (typeof orders)[number];
}

/** The place of a zone in a list: the number that the list is sorted by (0 if it is sorted by name), then the name. */
export interface ZonePlace {
  readonly value: number;
  readonly zone: string;
}

export interface PlacedZone extends ZonePlace {
  readonly row: ZoneRow;
}

/** At most `limit` zones after a place, within the octets of one statement. */
export async function listZones(
  db: Db,
  account_id: string,
  { filter, sort, order }: ZoneOrder & { readonly filter: ZoneFilter },
  after: ZonePlace | undefined,
  limit: number,
): Promise<Part<PlacedZone>> {
  const value = values[sort];
  const sized = await matching(db, account_id, filter)
    .select(["id", "zone", value.as("value"), sql.raw<number>(sizeOfAll(largeColumns)).as("octets")])
    .$if(after !== undefined, (query) => query.where(isAfter(after!, { sort, order })))
    .$if(sort !== "name", (query) => query.orderBy(value, order))
    .orderBy("zone", order)
    .limit(limit)
    .execute();
  return await readPart(sized, limit, async (last) => {
    const places = sized.slice(0, sized.indexOf(last) + 1);
    const rows = await zonesWith(
      db,
      account_id,
      places.map(({ id }) => id),
    );
    // a zone may have been deleted since
    return places.flatMap(({ id, zone, value }) => {
      const row = rows.get(id);
      return row ? [{ row, zone, value }] : [];
    });
  });
}

export async function countListed(db: Db, account_id: string, filter: ZoneFilter): Promise<number> {
  const count = matching(db, account_id, filter).select(({ fn }) => fn.countAll<number>().as("count"));
  return (await count.executeTakeFirstOrThrow()).count;
}

/** The columns in which a zone may have more than a few octets. */
const largeColumns = ["meta", "tags", "local_tags", '"primary"', "secondary", "transfer", "catalog", "catalog_state"];

/** The serial that replies show: a linked zone has that of its target. */
const shownSerial = sql<number>`case when zone.link is null then zone.serial else coalesce((
  select target.serial from zone as target
  where target.account_id = zone.account_id and target.zone = zone.link and target.view = zone.view
    and target.link is null and not target.hidden), zone.serial) end`;

const values: Readonly<Record<ZoneOrder["sort"], RawBuilder<number>>> = {
  name: sql<number>`0`,
  created: sql<number>`zone.created_at`,
  updated: sql<number>`zone.updated_at`,
  serial: shownSerial,
};

function isAfter({ value, zone }: ZonePlace, { sort, order }: ZoneOrder): RawBuilder<boolean> {
  const beyond = sql.raw(order === "asc" ? ">" : "<");
  if (sort === "name") return sql<boolean>`zone.zone ${beyond} ${zone}`;
  return sql<boolean>`(${values[sort]}, zone.zone) ${beyond} (${value}::bigint, ${zone})`;
}

function matching(db: Db, account_id: string, filter: ZoneFilter) {
  let zones = db.selectFrom("zone").where("account_id", "=", account_id);
  for (const condition of conditionsOf(filter)) zones = zones.where(condition);
  return zones;
}

function* conditionsOf({ only, except = [], ...filter }: ZoneFilter): Generator<RawBuilder<boolean>> {
  const { like, kind, tag, disabled, network, delegation } = filter;
  if (only) yield sql<boolean>`zone.zone = any(${only}::text[])`;
  if (except.length > 0) yield sql<boolean>`zone.zone <> all(${except}::text[])`;
  if (like !== undefined) yield sql<boolean>`(zone.zone like ${like} or unicode like ${like})`;
  if (kind !== undefined) yield isOfKind[kind];
  if (tag !== undefined) yield hasTag(tag);
  if (disabled !== undefined) yield sql<boolean>`disabled = ${disabled}`;
  if (network !== undefined) {
    yield sql<boolean>`exists (
      select from json_array_elements_text(networks) as network where network = ${String(network)})`;
  }
  // a zone that was never looked at is unknown
  if (delegation === "unknown") yield sql<boolean>`not exists (${delegations} and seen.state <> 'unknown')`;
  else if (delegation !== undefined) yield sql<boolean>`exists (${delegations} and seen.state = ${delegation})`;
}

const delegations = sql.raw(`
  select from zone_delegation as seen where seen.account_id = zone.account_id and seen.zone_id = zone.id`);

const isOfKind: Readonly<Record<(typeof kinds)[number], RawBuilder<boolean>>> = {
  primary: sql<boolean>`(link is null and coalesce(json_typeof(secondary), 'null') <> 'object')`,
  secondary: sql<boolean>`json_typeof(secondary) = 'object'`,
  linked: sql<boolean>`link is not null`,
};

function hasTag(tag: string): RawBuilder<boolean> {
  const colon = tag.indexOf(":");
  if (colon < 0) return sql<boolean>`(tags->${tag}::text) is not null`;
  const [name, value] = [tag.slice(0, colon), tag.slice(colon + 1)];
  // the name of a tag may have a colon, too
  return sql<boolean>`((tags->${tag}::text) is not null or tags->>${name}::text = ${value})`;
}

/** The zones with these ids, by id. */
async function zonesWith(db: Db, account_id: string, ids: readonly string[]): Promise<ReadonlyMap<string, ZoneRow>> {
  const zones = db.selectFrom("zone").selectAll().where("account_id", "=", account_id);
  const rows = await zones.where(sql<boolean>`id = any(${ids}::text[])`).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
