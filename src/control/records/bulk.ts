/** Many records of one zone in one revision: all of it or nothing. */
import { invalid, Problem } from "../../lib/problem.ts";
import { assertPermitted } from "../access/caller.ts";
import type { Ctx } from "../context.ts";
import { FeedLocks } from "../feeds/bindings.ts";
import { zoneName } from "../zones/fields.ts";
import { insert, readFields, remove, type Site, update, type Written } from "./apply.ts";
import { lockDomains, type Place, recordNotFound } from "./place.ts";
import type { NamedRecordBody, RecordBody } from "./schema.ts";
import type { RecordRow, RecordZone } from "./store.ts";
import { readWritable } from "./write.ts";

/** A record by its place in the zone. */
interface Named {
  readonly domain: string;
  readonly type: string;
}

export interface Bulk {
  /** Records to create, or to replace as a whole. */
  readonly put: readonly NamedRecordBody[];
  readonly remove: readonly Named[];
}

export interface BulkWritten {
  readonly zone: RecordZone;
  readonly put: readonly Written[];
  readonly removed: readonly RecordRow[];
}

/** Removals come first, so that a name can pass from one type to another. */
export async function writeMany(ctx: Ctx, zonePath: string, bulk: Bulk): Promise<BulkWritten> {
  const placeOf = (named: Named) => permitted(ctx, zonePath, named);
  const put = bulk.put.map((body, i) => {
    const at = named(`put[${i}]`, body);
    return { body, at, place: at(() => placeOf(body)) };
  });
  const gone = bulk.remove.map((one, i) => {
    const at = named(`remove[${i}]`, one);
    return { at, place: at(() => placeOf(one)) };
  });
  const places = [...gone, ...put].map(({ place }) => place);
  assertOnce(places);
  const domains = [...new Set(places.map(({ domain }) => domain))];
  const { zone, records } = await lockDomains(ctx, zoneName(zonePath, ctx.settings.edition), domains);
  const site: Site = { ctx, zone, feeds: new FeedLocks(ctx) };
  await site.feeds.lockAll(bulk.put);
  const names = new Names(records);
  const removed = gone.map(({ at, place }) =>
    at(() => {
      const row = names.find(place);
      if (!row) throw recordNotFound(place);
      remove(site, row);
      names.delete(row);
      return row;
    }),
  );
  const written: Written[] = [];
  for (const { body, at, place } of put) {
    const one = await at(() => putOne(site, place, body, names));
    names.set(one.row);
    written.push(one);
  }
  return { zone, put: written, removed };
}

/** Runs a step for one record of the body; what it throws says which one that was. */
function named(field: string, { domain, type }: Named) {
  const tell = (error: unknown): never => {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details, status } = error;
    const inner = details?.["field"];
    const place = typeof inner === "string" ? `${field}.${inner}` : field;
    throw new Problem(
      code,
      `${field} ${domain} ${type}: ${message}`,
      { ...details, field: place, domain, type },
      status,
    );
  };
  return <T>(step: () => T): T => {
    try {
      const result = step();
      // a promise that is refused is refused the same way
      return result instanceof Promise ? (result.catch(tell) as T) : result;
    } catch (error) {
      return tell(error);
    }
  };
}

function putOne(site: Site, place: Place, body: NamedRecordBody, names: Names): Promise<Written> {
  const before = names.find(place);
  const whole = { ...unset, ...body };
  return before
    ? update(site, place.type, before, readFields(site, place.type, whole, before))
    : insert(site, place, names.typesAt(place.domain), whole);
}

/** What a record that replaces another does not say goes back to its default. */
const unset: RecordBody = {
  answers: null,
  ttl: null,
  use_client_subnet: null,
  regions: null,
  meta: null,
  filters: null,
  all_down: null,
  live_guard: null,
  override_ttl: null,
  override_address_records: null,
  tags: null,
  local_tags: null,
  blocked_tags: null,
};

function permitted(ctx: Ctx, zone: string, { domain, type }: Named): Place {
  const place = readWritable(ctx, { zone, domain, type });
  assertPermitted(ctx.caller, "dns.manage_zones", { zone: place.zone, domain: place.domain, type: place.type.name });
  return place;
}

function assertOnce(places: readonly Place[]): void {
  const seen = new Set<string>();
  for (const { domain, type } of places) {
    const name = `${domain} ${type.name}`;
    if (seen.has(name)) throw invalid(`the record ${name} is named twice`, { domain, type: type.name });
    seen.add(name);
  }
}

/** The records at the names concerned, as they are while the write goes on. */
class Names {
  readonly #records = new Map<string, Map<string, RecordRow>>();

  constructor(rows: readonly RecordRow[]) {
    for (const row of rows) this.set(row);
  }

  find({ domain, type }: Place): RecordRow | undefined {
    return this.#records.get(domain)?.get(type.name);
  }

  typesAt(domain: string): string[] {
    return [...(this.#records.get(domain)?.keys() ?? [])];
  }

  set(row: RecordRow): void {
    const at = this.#records.get(row.domain) ?? new Map<string, RecordRow>();
    this.#records.set(row.domain, at.set(row.type, row));
  }

  delete({ domain, type }: RecordRow): void {
    this.#records.get(domain)?.delete(type);
  }
}
