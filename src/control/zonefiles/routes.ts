/** The routes of zone files: synchronous and asynchronous import, and export. */
import { Type } from "typebox";
import { flag } from "../../http/route/query.ts";
import { Download, Reply, routeFor } from "../../http/route/route.ts";
import { conflict, invalid, missing } from "../../lib/problem.ts";
import { reachesZone } from "../access/access.ts";
import type { Right } from "../access/rights.ts";
import type { Ctx } from "../write/context.ts";
import { zoneName } from "../zones/model/zone/fields.ts";
import { getZone } from "../zones/model/zone/find.ts";
import type { ZoneBody } from "../zones/model/zone/schema.ts";
import { findZone } from "../zones/model/zone/store.ts";
import { exportZone } from "./export.ts";
import type { Report, ZoneFileCtx } from "./jobs.ts";
import { ExportStatus, ImportedZone, ImportJob } from "./schema.ts";
import { imported, importZone } from "./write.ts";

const route = routeFor<Right, ZoneFileCtx>();
const tag = "Zone files";
const zoneFile = "text/dns; charset=utf-8";

/** Query parameters of every import. */
export const importSettings = {
  partial: flag("Takes the good records, and leaves out the others with warnings."),
  networks: Type.Optional(Type.String({ description: "Network ids separated by commas; 0 by default." })),
  name: Type.Optional(Type.String({ description: "Only in edition ddi." })),
  views: Type.Optional(Type.String({ description: "Only in edition ddi." })),
};

const importQuery = Type.Object({
  async: flag("Import in the background and answer at once with a job."),
  ...importSettings,
});

export const zoneFileRoutes = [
  route({
    method: "PUT",
    path: "/v1/import/zonefile/:zone",
    tag,
    summary: "Create a zone from a zone file",
    desc: "The file (RFC 1035) is the body, or the field `zonefile` of a form. It is imported as a whole in one change, or not at all; errors name their lines. `partial=true` leaves out bad lines instead. Without an SOA record, the zone has the settings of a new zone. NS records of the apex are replaced by the zone's name servers; the serial and the first field of the SOA record are set by the service. Records outside the zone and records of a signer are left out with a warning. `$INCLUDE` is refused.",
    right: "dns.manage_zones",
    target: ({ zone }) => ({ zone }),
    query: importQuery,
    body: Type.String({ description: "A zone file.", contentMediaType: "text/dns" }),
    upload: "zonefile",
    ownTransaction: true,
    reply: Type.Union([ImportedZone, ImportJob]),
    firstPage: true,
    log: imported,
    async run({ params, query, body }, ctx) {
      const { imports, account_id } = ctx;
      const zone = zoneName(params.zone, ctx.settings.edition);
      const settings = { ...settingsOf(query), log: imported };
      // refused before the file is read; the transaction checks again
      if (await findZone(ctx.db, account_id, zone)) throw conflict("zone already exists", { zone });
      const file = await imports.receive(account_id, octetsOf(body));
      const work = (report: Report) => importZone(ctx, zone, file, settings, report);
      if (query.async)
        return await imports.start(account_id, { zone, type: "importzonefile" }, file, async (report) => {
          const { result } = await imports.run(account_id, file, () => work(report));
          return result;
        });
      const { result, change } = await imports.run(account_id, file, () => work(() => {}));
      return new Reply(result.reply, { ...result.paging, change });
    },
  }),
  route({
    method: "GET",
    path: "/v1/import/zonefile/:zone",
    tag,
    summary: "Get an import job",
    desc: "The last segment of the path is the job's id. Jobs are kept for a day, even if the service restarts; a job interrupted by a restart has failed.",
    right: "dns.view_zones",
    reply: ImportJob,
    run: ({ params }, ctx) => findImport(ctx, params.zone),
  }),
  route({
    method: "PUT",
    path: "/v1/export/zonefile/:zone",
    tag,
    summary: "Request a zone file",
    desc: "For clients that first request an export and check its status; the file can be fetched at once.",
    right: "dns.view_zones",
    target: ({ zone }) => ({ zone }),
    ownTransaction: true,
    reply: ExportStatus,
    run: ({ params }, ctx) => statusOf(ctx, params.zone),
  }),
  route({
    method: "GET",
    path: "/v1/export/zonefile/:zone/status",
    tag,
    summary: "Get the status of an export",
    right: "dns.view_zones",
    target: ({ zone }) => ({ zone }),
    reply: ExportStatus,
    run: ({ params }, ctx) => statusOf(ctx, params.zone),
  }),
  route({
    method: "GET",
    path: "/v1/export/zonefile/:zone",
    tag,
    summary: "Get a zone as a zone file",
    desc: "Names are in canonical order. Records that other servers do not know (ALIAS and redirects) are left out and named in a comment. Steered records are exported without their filters, with all answers.",
    right: "dns.view_zones",
    target: ({ zone }) => ({ zone }),
    produces: { [zoneFile]: Type.String({ description: "The zone file." }) },
    reply: "download",
    async run({ params }, ctx) {
      const zone = await getZone(ctx, params.zone);
      return new Download(await exportZone(ctx, zone), `${zone.zone.replace(/[^a-z0-9._-]/g, "_")}.zone`, zoneFile);
    },
  }),
];

/** The route runner passes uploads on piece by piece. */
const octetsOf = (body: unknown) => body as AsyncIterable<Uint8Array>;

/** The job of an import, if the caller may see its zone. */
export async function findImport({ imports, account_id, caller }: ZoneFileCtx, id: string): Promise<ImportJob> {
  const found = await imports.find(account_id, id);
  if (!found || !reachesZone(caller.access, "dns.view_zones", found.zone)) {
    throw missing("import job not found", { id });
  }
  return found.job;
}

interface Placing {
  readonly networks?: string;
  readonly name?: string;
  readonly views?: string;
}

/** The settings in the query of an import. */
export const settingsOf = (query: Placing & { readonly partial?: boolean }) => ({
  placing: placingOf(query),
  partial: query.partial === true,
});

function placingOf({ networks, name, views }: Placing): ZoneBody {
  const ids = networks?.split(",").map((id) => (/^\d{1,9}$/.test(id.trim()) ? Number(id) : Number.NaN));
  if (ids?.some(Number.isNaN)) {
    throw invalid(`networks: "${networks}" is not a list of network ids such as 0,1`, { field: "networks" });
  }
  return {
    ...(ids ? { networks: ids } : {}),
    ...(name === undefined ? {} : { name }),
    ...(views === undefined ? {} : { views }),
  };
}

async function statusOf(ctx: Ctx, path: string) {
  await getZone(ctx, path);
  const generated_at = new Date(ctx.now * 1000).toISOString();
  return { status: "COMPLETED" as const, generated_at, message: "the zone file can be fetched" };
}
