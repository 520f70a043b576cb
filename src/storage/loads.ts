/**
 * Loads: all records of a zone, written to the store in small commits. The rows in `record` have the id of a zone that
 * does not exist, so they are not visible until one transaction creates the zone and refers edges to the parts.
 */
import { CompiledQuery, type Kysely, sql } from "kysely";
import { newId } from "../lib/ids.ts";
import { unavailable } from "../lib/problem.ts";
import { type ContentsReference, partsHash } from "../sync/contents.ts";
import type { BulkConnection } from "./connection/bulk.ts";
import type { Store } from "./db.ts";
import { across } from "./fence/exceptions.ts";
import { forgetHolders, isAbandoned, Presence } from "./presence.ts";
import type { Tables } from "./tables/index.ts";

/** A slice of the records in both formats. */
export interface LoadSlice {
  /** Lines of `rowHead` and `loadColumns`, in the text format of COPY. */
  readonly rows: Uint8Array;
  /** The same records in the format of `sync/contents.ts`. */
  readonly part: Uint8Array;
  readonly records: number;
}

/** The columns that differ between the records of a load. */
const loadColumns = ["domain", "type", "id", "ttl", "answers"] as const;

/** The columns that are equal in all rows of a load, before `loadColumns`. */
export interface LoadHead {
  readonly account_id: string;
  readonly zone_id: string;
  /** Unix seconds. */
  readonly now: number;
}

/** The columns of a row, in order. */
const columns = ["account_id", "zone_id", "created_at", "updated_at", ...loadColumns].join(", ");

export const rowHead = ({ account_id, zone_id, now }: LoadHead) => `${account_id}\t${zone_id}\t${now}\t${now}\t`;

export class ZoneLoad {
  /** Also the id of the change that will refer to the load. */
  readonly id = newId();
  readonly account_id: string;
  /** The id of the zone that will have the records. */
  readonly zone_id = newId();
  readonly #store: Store;
  readonly #presence: Presence;
  readonly #connection: BulkConnection;
  #hash = partsHash();
  #parts = 0;
  #records = 0;
  #octets = 0;

  static async begin(store: Store, account_id: string): Promise<ZoneLoad> {
    const connection = await store.openBulk();
    let presence: Presence | undefined;
    try {
      presence = await Presence.begin(store.db);
      const load = new ZoneLoad(store, presence, account_id, connection);
      const { id, zone_id } = load;
      await store.db.insertInto("zone_load").values({ id, account_id, zone_id, holder: presence.holder }).execute();
      return load;
    } catch (error) {
      connection.close();
      await presence?.end().catch(() => {});
      throw error;
    }
  }

  private constructor(store: Store, presence: Presence, account_id: string, connection: BulkConnection) {
    this.#store = store;
    this.#presence = presence;
    this.account_id = account_id;
    this.#connection = connection;
  }

  async add({ rows, part, records }: LoadSlice): Promise<void> {
    await this.#connection.transaction(async () => {
      await this.#hold();
      await this.#connection.copy(`copy record (${columns}) from stdin`, rows);
      await this.#connection.run("insert into change_part (load_id, part, body) values ($1, $2, $3)", [
        this.id,
        this.#parts,
        part,
      ]);
    });
    this.#hash.update(part);
    this.#parts++;
    this.#records += records;
    this.#octets += rows.length;
  }

  /** Removes records that will be added again: of two records with one name and type, edges use the later. */
  async remove(keys: readonly { readonly domain: string; readonly type: string }[]): Promise<void> {
    const [domains, types] = [keys.map(({ domain }) => domain), keys.map(({ type }) => type)];
    this.#records -= await this.#connection.run(deleteByKey, [this.account_id, this.zone_id, domains, types]);
  }

  /** Removes all that was added. */
  async clear(): Promise<void> {
    while ((await this.#connection.run(deleteRecords, [this.account_id, this.zone_id, mostAtOnce])) === mostAtOnce);
    await this.#connection.run("delete from change_part where load_id = $1", [this.id]);
    this.#hash = partsHash();
    this.#parts = 0;
    this.#records = 0;
    this.#octets = 0;
  }

  /** The records added so far, and the octets of their rows. */
  get size(): { readonly records: number; readonly octets: number } {
    return { records: this.#records, octets: this.#octets };
  }

  /** Returns the reference for the change, once all slices are added. */
  reference(): ContentsReference {
    const { id } = this;
    return { id, parts: this.#parts, records: this.#records, checksum: this.#hash.copy().digest("hex") };
  }

  /** Must be called in the transaction of the change that refers to the load; its commit makes the load permanent. */
  async publish(db: Kysely<Tables>): Promise<void> {
    const { numDeletedRows } = await db
      .deleteFrom("zone_load")
      .where("account_id", "=", this.account_id)
      .where("id", "=", this.id)
      .where("holder", "=", this.#presence.holder)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) throw lost();
  }

  /**
   * Must always be called: removes a load that was not published. Never throws, since a published load must not fail;
   * if removal fails, it happens later.
   */
  async end(): Promise<void> {
    this.#connection.close();
    await this.#presence.end().catch(() => {});
    await clearAbandoned(this.#store.db).catch(() => {});
  }

  /** Prevents other processes from removing the load as abandoned until the end of the transaction. */
  async #hold(): Promise<void> {
    const text = "select from zone_load where account_id = $1 and id = $2 and holder = $3 for share";
    if ((await this.#connection.run(text, [this.account_id, this.id, this.#presence.holder])) !== 1) throw lost();
  }
}

const lost = () => unavailable("the store was unreachable for too long: the loaded records were removed");

/** Removes loads whose process has ended. */
export async function clearAbandoned(db: Kysely<Tables>): Promise<void> {
  const holder = newId();
  for (;;) {
    // A process that still writes to the load fails in #hold. A load that is being published is locked, and skipped.
    const { rows } = await sql<AbandonedLoad>`
      update zone_load set holder = ${holder} where (account_id, id) in (
        select account_id, id from zone_load where ${isAbandoned("zone_load.holder")}
        limit 1 for update skip locked)
      returning account_id, id, zone_id ${across("schedule")}`.execute(db);
    const [load] = rows;
    if (!load) break;
    await clear(db, load);
  }
  await forgetHolders(db);
}

const mostAtOnce = 5000;

interface AbandonedLoad {
  readonly id: string;
  readonly account_id: string;
  readonly zone_id: string;
}

/** Removes a load in small commits; its row in `zone_load` goes last. */
async function clear(db: Kysely<Tables>, { id, account_id, zone_id }: AbandonedLoad): Promise<void> {
  const some = CompiledQuery.raw(deleteRecords, [account_id, zone_id, mostAtOnce]);
  while ((await db.executeQuery(some)).numAffectedRows === BigInt(mostAtOnce));
  await db.deleteFrom("change_part").where("load_id", "=", id).execute();
  await db.deleteFrom("zone_load").where("account_id", "=", account_id).where("id", "=", id).execute();
}

const deleteByKey = `
  delete from record using unnest($3::text[], $4::text[]) as gone (domain, type)
  where account_id = $1 and zone_id = $2 and record.domain = gone.domain and record.type = gone.type`;
const deleteRecords = `
  delete from record where ctid = any(array(
    select ctid from record where account_id = $1 and zone_id = $2 limit $3))`;
