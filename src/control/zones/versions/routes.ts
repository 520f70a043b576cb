/** The routes of versions: each change of a zone creates one. */
import { type Static, Type } from "typebox";
import { flag } from "../../../http/route/query.ts";
import { Reply } from "../../../http/route/route.ts";
import { invalid, missing } from "../../../lib/problem.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { reachesAll } from "../../access/access.ts";
import { maybe } from "../../kit/schema.ts";
import { inSnapshot } from "../../kit/store.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { differencesOf, getListedVersion, getVersion } from "../history/past.ts";
import { PointBody, Version, VersionDifference } from "../history/schema.ts";
import { beginning, end, listVersions } from "../history/store.ts";
import { Record } from "../model/record/schema.ts";
import type { RecordName } from "../model/record/store.ts";
import { getZone } from "../model/zone/find.ts";
import { confirmation } from "../records/guard.ts";
import { replyOf } from "../records/routes.ts";
import { loggedZones } from "./logged.ts";
import { differenceReply, versionReply } from "./present.ts";
import { restoreRecord, restoreZone } from "./restore.ts";
import { awaitVersions, removeVersion, saveNewest } from "./saved.ts";

const tag = "Versions";
const path = "/v1/zones/:zone/versions";
const right = "dns.manage_zones";
const target = ({ zone }: { zone: string }) => ({ zone });
const versionPage = 1000;
const differencePage = 1000;
const saved = ["dns_zone_version", "create"] as const;

export const versionRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "List the versions of a zone",
    desc: "One version for each change in the zone's history, newest first.",
    right: "dns.view_zones",
    target,
    query: Type.Object({ saved: flag("`true` lists only saved versions.") }),
    reply: Type.Array(Version),
    page: versionPage,
    async run({ params, query, page }, ctx) {
      const zone = await getZone(ctx, params.zone);
      const [newest] = await listVersions(ctx.db, zone, end, 1, false);
      const before = page.after === undefined ? end : (await getVersion(ctx.db, zone, serialOf(page.after))).revision;
      const rows = await listVersions(ctx.db, zone, before, page.limit + 1, query.saved === true);
      const shown = rows.slice(0, page.limit);
      const next = rows.length > shown.length ? String(shown.at(-1)!.serial) : undefined;
      return new Reply(
        shown.map((row) => versionReply(zone, row, newest)),
        { next },
      );
    },
  }),
  route({
    method: "GET",
    path: `${path}/:id`,
    tag,
    summary: "Get a version of a zone",
    right: "dns.view_zones",
    target,
    reply: Version,
    async run({ params: { zone: name, id } }, ctx) {
      const zone = await getZone(ctx, name);
      const version = await getListedVersion(ctx.db, zone, serialOf(id));
      const [newest] = await listVersions(ctx.db, zone, end, 1, false);
      return versionReply(zone, version, newest);
    },
  }),
  route({
    method: "PUT",
    path,
    tag,
    summary: "Save the newest version of a zone",
    desc: "Gives the newest version a name. A saved version is kept when older history is removed.",
    right,
    target,
    query: Type.Object({ force: flag("`true` replaces the oldest saved version when the limit is reached.") }),
    body: Type.Object({ name: maybe(Type.String({ maxLength: 255 })) }),
    reply: Version,
    log: saved,
    ownTransaction: true,
    async run({ params, query, body }, ctx) {
      await awaitVersions(ctx.db, await getZone(ctx, params.zone));
      const { result, change } = await ctx.transact(saved, async (tx) => {
        const wanted = { name: body.name ?? "", force: query.force === true };
        const { zone, before, newest, forgotten } = await saveNewest(tx, params.zone, wanted);
        const reply = versionReply(zone, newest, newest);
        const resource = forgotten === undefined ? reply : { ...reply, forgotten };
        return {
          result: reply,
          resource,
          before: before.name === null ? undefined : { ...resource, name: before.name },
        };
      });
      return new Reply(result, { change });
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/:id`,
    tag,
    summary: "Delete a version",
    desc: "The version loses its saved name and is no longer listed. The history stays as it is. The newest version stays.",
    right,
    target,
    reply: "status",
    log: ["dns_zone_version", "delete"],
    async run({ params: { zone, id } }, ctx) {
      const { serial, name, zone: known } = await removeVersion(ctx, zone, serialOf(id));
      return { id: serial, name, zone: known };
    },
  }),
  route({
    method: "POST",
    path: `${path}/:id/activate`,
    tag,
    summary: "Restore a zone to a version",
    desc: "Restores the settings and all records in one new change. A version does not include values of feeds.",
    right,
    exactQuery: true,
    target,
    query: Type.Object(confirmation),
    reply: Version,
    log: ["dns_zone_version", "activate"],
    within: 300_000,
    async run({ params: { zone, id }, query }, ctx) {
      const { row, version, written } = await restoreZone(ctx, zone, serialOf(id), query);
      const reply = { ...versionReply(row, version, undefined), active: true };
      if (!written) return new Reply(reply, { changed: false });
      const { before, after } = loggedZones(ctx, [written]);
      const restored = { ...reply, activated_at: ctx.now };
      return new Reply(restored, { before: { ...restored, ...before }, resource: { ...restored, ...after } });
    },
  }),
  route({
    method: "POST",
    path: "/v1/zones/:zone/:domain/:type/restore",
    tag,
    summary: "Restore a record to a version",
    right,
    exactQuery: true,
    target: (params) => params,
    body: PointBody,
    reply: Record,
    log: ["record", "restore"],
    run: async ({ params, body }, ctx) => replyOf(ctx, await restoreRecord(ctx, params, body)),
  }),
  route({
    method: "GET",
    path: "/v1/zones/:zone/diff",
    tag,
    summary: "Compare two versions of a zone",
    right: "dns.view_zones",
    secret: true,
    target,
    query: Type.Object({
      from: Type.Optional(Type.Integer({ description: "Id of a version; the version before `to` when left out." })),
      to: Type.Optional(Type.Integer({ description: "Id of a version; the newest version when left out." })),
    }),
    reply: VersionDifference,
    page: differencePage,
    async run({ params, query, page }, ctx) {
      const zone = await getZone(ctx, params.zone);
      return await inSnapshot(ctx.db, (db) => compare({ ...ctx, db }, zone, query, page));
    },
  }),
];

interface Pair {
  readonly from?: number;
  readonly to?: number;
}

async function compare(ctx: Ctx, zone: ZoneRow, pair: Pair, page: { limit: number; after: string | undefined }) {
  const { db, caller } = ctx;
  const to =
    pair.to === undefined ? (await listVersions(db, zone, end, 1, false))[0] : await getVersion(db, zone, pair.to);
  if (!to) throw missing("version not found", { zone: zone.zone });
  const previous = async () => (await listVersions(db, zone, to.revision, 1, false))[0];
  const from = pair.from === undefined ? await previous() : await getVersion(db, zone, pair.from);
  const [first, last] = [from?.revision ?? beginning, to.revision];
  const all = await differencesOf(db, zone, Math.min(first, last), Math.max(first, last));
  const reply = await differenceReply(ctx, "dns.view_zones", zone, first <= last ? all : reversed(all));
  const rest = page.after === undefined ? reply.records : reply.records.filter((row) => positionOf(row) > page.after!);
  const records = rest.slice(0, page.limit);
  const next = rest.length > records.length ? positionOf(records.at(-1)!) : undefined;
  const total = reachesAll(caller.access, "dns.view_zones", zone.zone) ? reply.records.length : undefined;
  const body: Static<typeof VersionDifference> = { from: from?.serial ?? null, to: to.serial, ...reply, records };
  return new Reply(body, { next, total });
}

/** A position in the order of the listing: a space sorts before every character of a name. */
const positionOf = ({ domain, type }: RecordName) => `${domain} ${type}`;

const reversed = ({ zone, records }: Awaited<ReturnType<typeof differencesOf>>) => ({
  zone: zone && { before: zone.after, after: zone.before },
  records: new Map([...records].map(([place, { before, after }]) => [place, { before: after, after: before }])),
});

/** The id of a version is a serial. */
function serialOf(id: string): number {
  if (!/^\d{1,10}$/.test(id)) throw invalid(`"${id}" is not the id of a version`, { field: "id" });
  return Number(id);
}
