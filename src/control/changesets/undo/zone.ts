/** What undoes a change in one zone, and the things in it that were changed again since. */
import { isDeepStrictEqual } from "node:util";
import { pick } from "../../../lib/values.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { NetDifference, recordKey } from "../../../sync/net-difference.ts";
import { reachesRecord, reachesSettings, reachesZone } from "../../access/access.ts";
import type { Ctx } from "../../write/context.ts";
import type { HistoryEntry, ZoneEntry } from "../../write/history.ts";
import { recordOfEntry, zoneOfEntry } from "../../zones/history/entry.ts";
import { isSameRecord, type Touched } from "../../zones/history/past.ts";
import { fieldsOf, sameFields } from "../../zones/model/record/fields.ts";
import { recordReply } from "../../zones/model/record/present.ts";
import type { RecordWriteBody } from "../../zones/model/record/schema.ts";
import { recordsAt } from "../../zones/model/record/store.ts";
import { findZoneById } from "../../zones/model/zone/store.ts";
import { awaitVersions } from "../../zones/versions/saved.ts";
import type { Expectation, ZoneWrite } from "../schema.ts";
import { findNewestChange, type ZoneChange } from "./store.ts";

/** A zone or record that was changed again. */
interface ChangedAgain {
  readonly zone: string;
  readonly domain?: string;
  readonly type?: string;
}

export interface UndoneZone {
  readonly zones: readonly ZoneWrite[];
  readonly records: readonly RecordWriteBody[];
  readonly expect: readonly Expectation[];
  readonly undelete: readonly string[];
  readonly left_out: readonly string[];
  readonly changed: readonly ChangedAgain[];
  /** Whether the caller may not change something in it. */
  readonly isClosed: boolean;
}

const nothing: UndoneZone = {
  ...{ zones: [], records: [], expect: [], undelete: [], left_out: [], changed: [] },
  isClosed: false,
};

const right = "dns.manage_zones";

export async function undoZone(ctx: Ctx, id: string, name: string, change: ZoneChange): Promise<UndoneZone> {
  const { access } = ctx.caller;
  const { settings, records } = differencesIn(ctx, change);
  const isOpen =
    reachesZone(access, right, name) &&
    (!settings || reachesSettings(access, right, name)) &&
    records.every(({ before, after }) => reaches(ctx, name, (before ?? after)!));
  if (!isOpen) return { ...nothing, isClosed: true };
  const found = await findZoneById(ctx.db, ctx.account_id, change.zone_id);
  if (settings && !settings.after) {
    return found ? { ...nothing, changed: [{ zone: name }] } : { ...nothing, undelete: [name] };
  }
  if (found) await awaitVersions(ctx.db, found);
  const zone = found && (await findZoneById(ctx.db, ctx.account_id, change.zone_id));
  if (!zone) return { ...nothing, changed: [{ zone: name }] };
  const expect = [{ zone: name, serial: zone.serial }];
  if (settings && !settings.before) {
    const isNewest = (await findNewestChange(ctx.db, zone)) === id;
    if (!isNewest) return { ...nothing, changed: [{ zone: name }] };
    return { ...nothing, zones: [{ action: "delete", zone: name }], expect };
  }
  const undone = settings ? undoSettings(zone, settings) : nothing;
  const servers = undone.zones[0]?.networks ? recordKey({ domain: name, type: "NS" }) : undefined;
  // the name servers of the zone follow from its networks
  const own = records.filter(({ before, after }) => recordKey((before ?? after)!) !== servers);
  const { records: writes, changed } = await undoRecords(ctx, zone, own);
  return { ...undone, records: writes, changed: [...undone.changed, ...changed], expect };
}

const reaches = ({ caller }: Ctx, zone: string, { domain, type }: RecordRow) =>
  reachesRecord(caller.access, right, zone, domain, type);

interface Settings {
  readonly before: ZoneEntry | undefined;
  readonly after: ZoneEntry | undefined;
}

/** The change of the zone's own fields, if there is one, and those of its records. */
function differencesIn({ account_id }: Ctx, change: ZoneChange) {
  const net = new NetDifference<HistoryEntry>();
  net.add(change);
  let settings: Settings | undefined;
  const records: Touched[] = [];
  for (const { before, after } of net.entries.values()) {
    if ((before ?? after)?.kind === "zone") {
      settings = { before: zoneIn(before), after: zoneIn(after) };
      continue;
    }
    const touched = { before: recordIn(account_id, before), after: recordIn(account_id, after) };
    if (!isSameRecord(touched.before, touched.after)) records.push(touched);
  }
  return { settings, records };
}

const zoneIn = (entry: HistoryEntry | undefined) => (entry?.kind === "zone" ? entry : undefined);
const recordIn = (account_id: string, entry: HistoryEntry | undefined) =>
  entry?.kind === "record" ? recordOfEntry(account_id, entry) : undefined;

/** The fields of a zone that clients set and the history keeps. */
const sentFields = [
  ...(["ttl", "refresh", "retry", "expiry", "nx_ttl", "hostmaster", "primary_master"] as const),
  ...(["networks", "disabled", "meta", "tags", "local_tags"] as const),
];

function undoSettings(zone: ZoneRow, { before, after }: Settings): UndoneZone {
  const [was, then] = [zoneOfEntry(zone, before!), zoneOfEntry(zone, after!)];
  const fields = sentFields.filter((field) => !isDeepStrictEqual(was[field], then[field]));
  if (fields.length === 0) {
    const left_out = [
      `the settings of transfers and catalogs of the zone ${zone.zone}, which the history does not have`,
    ];
    return { ...nothing, left_out };
  }
  if (fields.some((field) => !isDeepStrictEqual(zone[field], then[field]))) {
    return { ...nothing, changed: [{ zone: zone.zone }] };
  }
  // it follows from the networks, unless somebody set it
  const follows = fields.includes("networks") && was.primary_master === was.dns_servers[0];
  const sent = fields.filter((field) => field !== "primary_master" || !follows);
  const { networks, local_tags, ...rest } = pick(was, sent) as Partial<Pick<ZoneRow, (typeof sentFields)[number]>>;
  const lists = { ...(networks ? { networks: [...networks] } : {}), ...(local_tags ? { local_tags } : {}) };
  return { ...nothing, zones: [{ action: "update", zone: zone.zone, ...rest, ...lists }] };
}

async function undoRecords(ctx: Ctx, zone: ZoneRow, touched: readonly Touched[]) {
  const names = new Set(touched.map(({ before, after }) => (before ?? after)!.domain));
  const rows = await recordsAt(ctx.db, zone, [...names]);
  const now = new Map(rows.map((row) => [recordKey(row), row]));
  const changed: ChangedAgain[] = [];
  const records: RecordWriteBody[] = [];
  for (const { before, after } of touched) {
    const { domain, type } = (before ?? after)!;
    if (!isAs(now.get(recordKey({ domain, type })), after)) changed.push({ zone: zone.zone, domain, type });
    else if (before) records.push(putOf(ctx, zone, before));
    else records.push({ action: "delete", zone: zone.zone, domain, type });
  }
  return { records, changed };
}

/** Whether a record has the fields that the change gave it. */
const isAs = (now: RecordRow | undefined, after: RecordRow | undefined) =>
  now && after ? sameFields(fieldsOf(now), fieldsOf(after)) : now === after;

/** The write that makes the record as it was. */
function putOf(ctx: Ctx, zone: ZoneRow, row: RecordRow): RecordWriteBody {
  const { answers, ...fields } = recordReply(ctx, row, zone);
  const { id: _, tier: _t, networks: _n, feeds: _f, customer: _c, created_at: _a, updated_at: _u, ...sent } = fields;
  const own = answers.map(({ feeds: _, ...answer }) => answer);
  return { ...sent, action: "put", answers: own, filters: [...row.filters] };
}
