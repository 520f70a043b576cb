/** The routes of zones. */
import { type Static, Type } from "typebox";
import { flag } from "../../http/query.ts";
import { Paged, Unchanged } from "../../http/route.ts";
import { invalid, missing } from "../../lib/problem.ts";
import { filtersRecords, opensRecord, opensZone } from "../access/permit.ts";
import type { Ctx } from "../context.ts";
import { openPage } from "../listing.ts";
import { recordReply, recordSummary } from "../records/present.ts";
import { beforeAll, countRecords, listRecords, listSummaries, type RecordCursor } from "../records/store.ts";
import { route } from "../route.ts";
import { zoneName } from "./fields.ts";
import { zoneOnly, zoneReply } from "./present.ts";
import { Zone, ZoneBody, ZoneOnly } from "./schema.ts";
import { findZone, listZones, type ZoneRow } from "./store.ts";
import { changeZone, createZone, removeZone } from "./write.ts";

const tag = "Zones";
const zonePage = 5000;
const recordPage = 2500;

const listingQuery = Type.Object({
  records: flag("`false` leaves the records out."),
  expand: flag("`true` lists whole records instead of summaries."),
});

export const zoneRoutes = [
  route({
    method: "GET",
    path: "/v1/zones",
    tag,
    summary: "List zones",
    desc: "In the order of their names. A key that may see some zones only gets those.",
    right: "dns.view_zones",
    reply: Type.Array(ZoneOnly),
    page: zonePage,
    async run({ page }, { db, account_id, caller }) {
      const { items, last } = await openPage<ZoneRow>(
        page.limit,
        ({ zone }) => opensZone(caller.grant, zone),
        (after, count) => listZones(db, account_id, after?.zone ?? page.after, count),
      );
      return new Paged(items.map(zoneOnly), last?.zone);
    },
  }),
  route({
    method: "GET",
    path: "/v1/zones/:zone",
    tag,
    summary: "Get a zone with its records",
    right: "dns.view_zones",
    target: ({ zone }) => ({ zone }),
    query: listingQuery,
    reply: Zone,
    page: recordPage,
    async run({ params, query, page }, ctx) {
      const row = await getZone(ctx, params.zone);
      if (query.records === false) return zoneReply(row, undefined);
      return await zoneWithRecords(ctx, row, page, query.expand === true);
    },
  }),
  route({
    method: "PUT",
    path: "/v1/zones/:zone",
    tag,
    summary: "Create a zone",
    desc: "The reply's records hold the NS record that was made from the zone's name servers.",
    right: "dns.manage_zones",
    target: ({ zone }) => ({ zone }),
    body: ZoneBody,
    reply: Zone,
    log: ["dns_zone", "create"],
    run: async ({ params, body }, ctx) => firstPage(ctx, await createZone(ctx, params.zone, body)),
  }),
  route({
    method: "POST",
    path: "/v1/zones/:zone",
    tag,
    summary: "Change a zone",
    desc: "Fields that are left out stay as they are; null sets a field back to its default.",
    right: "dns.manage_zones",
    target: ({ zone }) => ({ zone }),
    query: Type.Object({ refresh: flag("Transfer a secondary zone now.") }),
    body: Type.Optional(ZoneBody),
    reply: Zone,
    log: ["dns_zone", "update"],
    async run({ params, query, body }, ctx) {
      if (query.refresh) throw invalid("refresh: the zone is not secondary", { field: "refresh" });
      const { row, changed } = await changeZone(ctx, params.zone, body ?? {});
      const reply = await firstPage(ctx, row);
      return changed ? reply : new Unchanged(reply);
    },
  }),
  route({
    method: "DELETE",
    path: "/v1/zones/:zone",
    tag,
    summary: "Delete a zone and its records",
    right: "dns.manage_zones",
    target: ({ zone }) => ({ zone }),
    reply: "status",
    log: ["dns_zone", "delete"],
    run: async ({ params }, ctx) => zoneOnly(await removeZone(ctx, params.zone)),
  }),
];

async function getZone({ db, account_id, settings }: Ctx, path: string): Promise<ZoneRow> {
  const zone = zoneName(path, settings.edition);
  const row = await findZone(db, account_id, zone);
  if (!row) throw missing("zone not found", { zone });
  return row;
}

type Listed = ReturnType<typeof recordReply> | ReturnType<typeof recordSummary>;

interface Slice {
  readonly limit: number;
  readonly after: string | undefined;
}

async function firstPage(ctx: Ctx, row: ZoneRow): Promise<Static<typeof Zone>> {
  return (await zoneWithRecords(ctx, row, { limit: recordPage, after: undefined }, false)).body;
}

async function zoneWithRecords(ctx: Ctx, row: ZoneRow, { limit, after }: Slice, expand: boolean) {
  const { db, account_id, caller } = ctx;
  const from = after === undefined ? beforeAll : cursor(after);
  const filtered = filtersRecords(caller.grant, row.zone);
  const isOpen = ({ domain, type }: RecordCursor) => !filtered || opensRecord(caller.grant, row.zone, domain, type);
  const { items, last } = await openPage<Listed>(limit, isOpen, async (last, count) =>
    expand
      ? (await listRecords(db, account_id, row.id, last ?? from, count)).map((record) => recordReply(record, row))
      : (await listSummaries(db, account_id, row.id, last ?? from, count)).map((record) => recordSummary(record, row)),
  );
  const page = [...items];
  const next = last && printCursor(last);
  if (filtered) return new Paged(zoneReply(row, page), next);
  const isAll = next === undefined && after === undefined;
  const total = isAll ? page.length : await countRecords(db, account_id, row.id);
  return new Paged(zoneReply(row, page), next, total);
}

const printCursor = ({ domain, type }: RecordCursor) => `${domain}/${type}`;

/** Types have no slash, so the last one divides. */
function cursor(text: string): RecordCursor {
  const slash = text.lastIndexOf("/");
  return slash < 0 ? { domain: text, type: "" } : { domain: text.slice(0, slash), type: text.slice(slash + 1) };
}
