/** Reads an account's zones and records slice by slice. One call reads a bounded number of slices; the next continues there. */
import { shortAnswer } from "../../../dns/rdata/codec.ts";
import { LongWork } from "../../../lib/fair/yield.ts";
import { invalidField } from "../../../lib/problem.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesRecord, reachesZone } from "../../access/access.ts";
import { mostText } from "../../kit/listing.ts";
import type { Ctx } from "../../write/context.ts";
import { recordReply } from "../model/record/present.ts";
import { zoneOnly } from "../model/zone/present.ts";
import { matches as isIn, likeInJson, likePattern, parseTerm } from "./match.ts";
import {
  findRecords,
  findZoneNames,
  findZones,
  mostRows,
  type RecordKey,
  type Scope,
  searchRecords,
  searchZones,
} from "./store.ts";

export const right = "dns.view_zones";

export interface Search {
  readonly scope: Scope;
  readonly term: string;
  readonly type: "zone" | "record" | "all" | "answers";
  readonly byPlace: boolean;
  /** Whether results are whole objects. */
  readonly expand: boolean;
  readonly max: number;
}

/** Where a search continues: after a zone's name, or after the key of a record. */
type Position = Pick<ZoneRow, "zone"> | RecordKey;

/** A match before it is shown. */
type Match = Position & { readonly hit: object };

/** Slices of one call. */
const mostSlices = 25;
/** Records that one call reads; fewer if their answers are large. */
export const mostSearched = mostSlices * mostRows;
/** Objects that are fetched whole at the same time. */
const fetchedAtOnce = 20;

export interface SearchResult {
  readonly found: readonly object[];
  /** The cursor with which the search continues; undefined unless the call has reached its bounds. */
  readonly next: string | undefined;
}

export async function runSearch(ctx: Ctx, search: Search, after: string | undefined): Promise<SearchResult> {
  const found: object[] = [];
  let text = 0;
  let at = after === undefined ? beginning(search) : openCursor(ctx, after);
  for (let slices = 0; slices < mostSlices; slices++) {
    const { matches, next } = await ("zone" in at ? zonesAfter(ctx, search, at.zone) : recordsAfter(ctx, search, at));
    for await (const { hit, ...position } of shown(ctx, search, matches)) {
      if (search.expand) text += JSON.stringify(hit).length;
      if (text > mostText && found.length > 0) return { found, next: sealCursor(ctx, at) };
      if (found.push(hit) === search.max) return { found, next: undefined };
      at = position;
    }
    if (next === undefined) return { found, next };
    at = next;
  }
  return { found, next: sealCursor(ctx, at) };
}

const beginning = ({ type }: Search): Position => (type === "zone" || type === "all" ? { zone: "" } : beforeRecords);

const beforeRecords: RecordKey = { zone_id: "", domain: "", type: "" };

interface Part {
  readonly matches: readonly Match[];
  readonly next: Position | undefined;
}

async function zonesAfter({ db, caller }: Ctx, { scope, term, type }: Search, after: string): Promise<Part> {
  const { found, next } = await searchZones(db, scope, likePattern(parseTerm(term)), after);
  const open = found.filter(({ zone }) => reachesZone(caller.access, right, zone));
  const matches = open.map(({ zone }) => ({ zone, hit: { zone } }));
  return { matches, next: next ?? (type === "zone" ? undefined : beforeRecords) };
}

async function recordsAfter(ctx: Ctx, search: Search, after: RecordKey): Promise<Part> {
  const { db, caller, account_id } = ctx;
  const inAnswers = search.type === "answers";
  const term = parseTerm(search.term);
  const like = inAnswers ? likeInJson(term) : likePattern(term);
  const pattern = { in: inAnswers ? "answers" : "domain", like, byPlace: search.byPlace } as const;
  const { found, next } = await searchRecords(db, search.scope, pattern, after);
  const ids = new Set([...found, ...(next ? [next] : [])].map(({ zone_id }) => zone_id));
  const zones = new Map((await findZoneNames(db, account_id, [...ids])).map(({ id, zone }) => [id, zone]));
  const work = new LongWork();
  const matches: Match[] = [];
  for (const { zone_id, domain, type, answers } of found) {
    await work.giveWay();
    const zone = zones.get(zone_id);
    if (zone === undefined || !reachesRecord(caller.access, right, zone, domain, type)) continue;
    if (inAnswers && !answers?.some((answer) => isIn(term, shortAnswer(answer)))) continue;
    matches.push({ zone_id, domain, type, hit: { domain, type, zone } });
  }
  // a deleted zone, or a zone that is still being loaded, is left out as a whole
  return {
    matches,
    next: next && (zones.has(next.zone_id) ? next : { ...beforeRecords, zone_id: `${next.zone_id} ` }),
  };
}

/** Yields the matches with what the caller sees of them: names, or whole objects. */
async function* shown(ctx: Ctx, { expand }: Search, matches: readonly Match[]): AsyncGenerator<Match> {
  if (!expand) return yield* matches;
  for (let from = 0; from < matches.length; from += fetchedAtOnce) {
    yield* await wholeOf(ctx, matches.slice(from, from + fetchedAtOnce));
  }
}

/** Leaves out what has been deleted in the meantime. */
async function wholeOf(ctx: Ctx, matches: readonly Match[]): Promise<Match[]> {
  const { db, account_id } = ctx;
  const names = matches.flatMap((match) => ("zone" in match ? match.zone : []));
  const keys = matches.flatMap((match) => ("zone" in match ? [] : match));
  const rows = keys.length > 0 ? await findRecords(db, account_id, keys) : [];
  const ids = [...new Set(rows.map(({ zone_id }) => zone_id))];
  const zones = await findZones(db, account_id, { names, ids });
  const byName = new Map(zones.map((row) => [row.zone, row]));
  const byId = new Map(zones.map((row) => [row.id, row]));
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return matches.flatMap((match): Match[] => {
    if ("zone" in match) {
      const row = byName.get(match.zone);
      return row ? [{ ...match, hit: zoneOnly(ctx, row) }] : [];
    }
    const row = byKey.get(keyOf(match));
    const zone = byId.get(match.zone_id);
    return row && zone ? [{ ...match, hit: recordReply(ctx, row, zone) }] : [];
  });
}

const keyOf = ({ zone_id, domain, type }: RecordKey) => `${zone_id} ${type} ${domain}`;

/** Sealed: the name at which a call ended may be one that the caller must not see. */
const sealCursor = ({ secrets, account_id }: Ctx, at: Position) =>
  secrets.seal(JSON.stringify(at), context(account_id));

function openCursor({ secrets, account_id }: Ctx, cursor: string): Position {
  try {
    return JSON.parse(secrets.open(cursor, context(account_id)));
  } catch {
    throw invalidField("after", "is not the cursor of a search: use the address in the Link header");
  }
}

const context = (account_id: string) => `search.cursor:${account_id}`;
