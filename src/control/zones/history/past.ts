/** A zone at an earlier version: its present state with all later changes undone. */
import { isDeepStrictEqual } from "node:util";
import { LongWork } from "../../../lib/fair/yield.ts";
import { invalid, invalidField, missing } from "../../../lib/problem.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { type NetChange, NetDifference, recordKey } from "../../../sync/net-difference.ts";
import type { Db } from "../../kit/store.ts";
import type { HistoryEntry } from "../../write/history.ts";
import { listRecords, type RecordCursor, type RecordName } from "../model/record/store.ts";
import { sameFields } from "../model/zone/fields.ts";
import { fieldsOf } from "../model/zone/present.ts";
import { recordOfEntry, zoneOfEntry } from "./entry.ts";
import {
  end,
  findFirstVersion,
  findVersion,
  findVersionAt,
  listChanges,
  listUnnumbered,
  sizeOfChanges,
  type VersionRow,
  type ZoneKey,
} from "./store.ts";

/** A version named by its id or by a time. */
export interface Point {
  readonly version?: number | null | undefined;
  readonly at?: string | null | undefined;
}

/** Throws for a version that the zone never had or no longer has. */
export async function getVersion(db: Db, zone: ZoneRow, serial: number): Promise<VersionRow> {
  const found = await findVersion(db, zone, serial);
  if (!found) throw versionNotFound(zone, serial);
  return found;
}

/** Throws also for a version that a client deleted. */
export async function getListedVersion(db: Db, zone: ZoneRow, serial: number): Promise<VersionRow> {
  const found = await getVersion(db, zone, serial);
  if (found.unlisted) throw versionNotFound(zone, serial);
  return found;
}

const versionNotFound = ({ zone }: ZoneRow, version: number) => missing("version not found", { zone, version });

/** Finds the version that a point names; undefined when it names none. */
export async function findPoint(db: Db, zone: ZoneRow, { version, at }: Point): Promise<VersionRow | undefined> {
  if (version != null && at != null) throw invalidField("at", "cannot be combined with version");
  if (version != null) return await getVersion(db, zone, version);
  if (at == null) return undefined;
  const found = await findVersionAt(db, zone, readTime(at));
  if (!found)
    throw missing(`the history of the zone ${zone.zone} begins ${await beginningOf(db, zone)}`, {
      zone: zone.zone,
      at,
    });
  return found;
}

/** The time and cause of the first version: when a zone is replaced as a whole, its history begins again. */
async function beginningOf(db: Db, zone: ZoneRow): Promise<string> {
  const first = await findFirstVersion(db, zone);
  if (!first) return "with a change that has no serial yet";
  const cause = [first.action, first.user_name && `by ${first.user_name}`].filter(Boolean).join(" ");
  return `${new Date(first.at * 1000).toISOString()}${cause && `, ${cause}`}`;
}

/** Reads Unix seconds, or a date and time with offset (RFC 3339). */
function readTime(text: string): number {
  const time = /^\d{1,12}$/.test(text) ? Number(text) : /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) / 1000 : NaN;
  if (Number.isNaN(time)) {
    throw invalidField("at", `"${text}" is not a time; use Unix seconds or a time such as 2026-01-31T12:00:00Z`);
  }
  return Math.floor(time);
}

/** A record that was changed between two versions, with its state in each; the two may be equal. */
export interface Touched {
  readonly before: RecordRow | undefined;
  readonly after: RecordRow | undefined;
}

export interface Differences {
  /** The zone's own fields; undefined when they did not change. */
  readonly zone: { readonly before: ZoneRow; readonly after: ZoneRow } | undefined;
  /** Keyed by record path. */
  readonly records: ReadonlyMap<string, Touched>;
}

/** Octets of history that one request may read: all of them may have to be in memory. */
export const mostOctets = 64 * 1024 * 1024;

/** The changes after one revision and up to another. With `end` as the upper bound, changes without a revision are included. */
export async function differencesOf(db: Db, row: ZoneRow, after: number, until: number): Promise<Differences> {
  assertReadable(row, await sizeOfChanges(db, row, after, until));
  // read first: a change numbered in the meantime is then seen twice, never missed
  const waiting = until === end ? await listUnnumbered(db, row) : [];
  const net = new NetDifference<HistoryEntry>();
  const work = new LongWork();
  const numbered = new Set<string>();
  for (let from = after; ; ) {
    const changes = await listChanges(db, row, from, until);
    if (changes.length === 0) break;
    for (const change of changes) net.add(change);
    for (const { change_id } of changes) if (waiting.length > 0) numbered.add(change_id);
    from = changes.at(-1)!.revision;
    await work.giveWay();
  }
  for (const change of waiting) if (!numbered.has(change.change_id)) net.add(change);
  return rowDifferences(row, [...net.entries.values()]);
}

function assertReadable({ zone }: ZoneRow, octets: number): void {
  if (octets <= mostOctets) return;
  const message = `the changes between the versions have ${octets} octets, but one request reads at most ${mostOctets}; name a later version`;
  throw invalid(message, { zone, octets, limit: mostOctets });
}

/** Converts history entries to rows. Zone fields that an entry lacks are as in `row`. */
export function rowDifferences(row: ZoneRow, entries: readonly NetChange<HistoryEntry>[]): Differences {
  let zone: Differences["zone"];
  const records = new Map<string, Touched>();
  for (const { before, after: now } of entries) {
    const either = before ?? now;
    // added and removed between the two versions
    if (!either) continue;
    if (either.kind === "zone") {
      const [first, last] = [before, now].map((entry) => (entry?.kind === "zone" ? zoneOfEntry(row, entry) : row));
      if (!sameFields(fieldsOf(first!), fieldsOf(last!))) zone = { before: first!, after: last! };
      continue;
    }
    const touched = { before: recordIn(row, before), after: recordIn(row, now) };
    records.set(recordKey((touched.before ?? touched.after)!), touched);
  }
  return { zone, records };
}

const recordIn = ({ account_id }: ZoneKey, entry: HistoryEntry | undefined): RecordRow | undefined =>
  entry?.kind === "record" ? recordOfEntry(account_id, entry) : undefined;

/** Whether two rows are equal apart from the time of the last change. */
export const isSameRecord = (a: RecordRow | undefined, b: RecordRow | undefined) =>
  a === b || (!!a && !!b && isDeepStrictEqual({ ...a, updated_at: 0 }, { ...b, updated_at: 0 }));

const pageRows = 1000;

export class Past {
  /** The zone's own fields. */
  readonly zone: ZoneRow;
  readonly #now: ZoneRow;
  readonly #touched: Differences["records"];

  /** The database handle must read from one snapshot. */
  static async open(db: Db, now: ZoneRow, version: VersionRow): Promise<Past> {
    const { zone, records } = await differencesOf(db, now, version.revision, end);
    return new Past({ ...(zone?.before ?? now), serial: version.serial }, now, records);
  }

  private constructor(zone: ZoneRow, now: ZoneRow, touched: Differences["records"]) {
    this.zone = zone;
    this.#now = now;
    this.#touched = touched;
  }

  /** The number of records then minus the number now. */
  get surplus(): number {
    let surplus = 0;
    for (const { before, after } of this.#touched.values()) surplus += Number(!!before) - Number(!!after);
    return surplus;
  }

  /** The record of that version at a path; `now` is the present record there. */
  record(name: RecordName, now: RecordRow | undefined): RecordRow | undefined {
    const touched = this.#touched.get(recordKey(name));
    return touched ? touched.before : now;
  }

  /** A page of the records of that version, ordered by name and type; fewer than `limit` only at the end. */
  async list(db: Db, after: RecordCursor, limit: number): Promise<RecordRow[]> {
    const found: RecordRow[] = [];
    for (let from = after; found.length < limit; ) {
      const rows = await listRecords(db, this.#now.account_id, this.#now.id, from, pageRows);
      const last = rows.length < pageRows ? undefined : rows.at(-1);
      const untouched = rows.filter((row) => !this.#touched.has(recordKey(row)));
      found.push(...[...untouched, ...this.#between(from, last)].sort(inOrder));
      if (!last) break;
      from = last;
    }
    return found.slice(0, limit);
  }

  #between(after: RecordCursor, last: RecordCursor | undefined): RecordRow[] {
    return [...this.#touched.values()].flatMap(({ before }) =>
      before && inOrder(after, before) < 0 && (!last || inOrder(before, last) <= 0) ? before : [],
    );
  }
}

/** The order of the store: names are ASCII and compared by octets. */
const inOrder = (a: RecordCursor, b: RecordCursor) => compare(a.domain, b.domain) || compare(a.type, b.type);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
