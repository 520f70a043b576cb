/** SQL of the search: pages of candidates, ordered by key. */
import { sql } from "kysely";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Db } from "../../kit/store.ts";

export interface Scope {
  readonly account_id: string;
  /** Limits the search to this zone. */
  readonly zone_id?: string | undefined;
}

/** Zones whose names match a LIKE pattern, after the name `after`. */
export const searchZones = (
  db: Db,
  { account_id, zone_id }: Scope,
  pattern: string,
  after: string,
  limit: number,
): Promise<ZoneRow[]> =>
  db
    .selectFrom("zone")
    .selectAll()
    .where("account_id", "=", account_id)
    .$if(zone_id !== undefined, (query) => query.where("id", "=", zone_id ?? ""))
    .where("zone", "like", pattern)
    .where("zone", ">", after)
    .orderBy("zone")
    .limit(limit)
    .execute();

export interface FoundRecord extends RecordRow {
  readonly zone: string;
  readonly networks: readonly number[];
}

export interface RecordKey {
  readonly zone_id: string;
  readonly domain: string;
  readonly type: string;
}

/** Records whose names, or answers as JSON text, match a LIKE pattern, after the key `after`. */
export const searchRecords = (
  db: Db,
  { account_id, zone_id }: Scope,
  pattern: { readonly in: "domain" | "answers"; readonly like: string },
  after: RecordKey,
  limit: number,
): Promise<FoundRecord[]> =>
  db
    .selectFrom("record")
    .innerJoin("zone", (join) =>
      join.onRef("zone.account_id", "=", "record.account_id").onRef("zone.id", "=", "record.zone_id"),
    )
    .selectAll("record")
    .select(["zone.zone", "zone.networks"])
    .where("record.account_id", "=", account_id)
    .$if(zone_id !== undefined, (query) => query.where("record.zone_id", "=", zone_id ?? ""))
    .where(
      pattern.in === "domain"
        ? sql<boolean>`record.domain like ${pattern.like}`
        : sql<boolean>`lower(record.answers::text) like ${pattern.like}`,
    )
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple("record.zone_id", "record.domain", "record.type"),
        ">",
        tuple(after.zone_id, after.domain, after.type),
      ),
    )
    .orderBy("record.zone_id")
    .orderBy("record.domain")
    .orderBy("record.type")
    .limit(limit)
    .execute();
