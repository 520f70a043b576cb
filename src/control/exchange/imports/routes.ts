/** The routes of imports by transfer: a zone is copied from another server once, and is a primary zone from then on. */
import { Type } from "typebox";
import { routeFor } from "../../../http/route/route.ts";
import { MeasuredInput } from "../../../lib/fair/measured-input.ts";
import { occupying } from "../../../lib/files/spool.ts";
import { conflict, unavailable } from "../../../lib/problem.ts";
import { primariesOf } from "../../../sync/peers.ts";
import type { Right } from "../../access/rights.ts";
import type { ZoneFileCtx } from "../../zonefiles/jobs.ts";
import { findImport, importSettings, settingsOf } from "../../zonefiles/routes.ts";
import { ImportJob } from "../../zonefiles/schema.ts";
import { importZone } from "../../zonefiles/write.ts";
import { zoneName } from "../../zones/model/zone/fields.ts";
import { Secondary } from "../../zones/model/zone/schema.ts";
import { findZone } from "../../zones/model/zone/store.ts";
import { type ReadSecondary, readSecondary } from "../../zones/model/zone/transfer-settings.ts";
import type { PullLimits } from "../transfers/primary.ts";
import { fetchZone } from "./fetch.ts";

export interface TransferServices {
  readonly transferLimits: PullLimits;
}

type TransferCtx = ZoneFileCtx & TransferServices;
const route = routeFor<Right, TransferCtx>();
const path = "/v1/import/transfer/:zone";
const tag = "Zone files";
const log = ["dns_zone", "import"] as const;

const TransferBody = Type.Object(
  { secondary: Secondary },
  {
    $id: "TransferBody",
    examples: [
      {
        secondary: {
          ...{ primary_ip: "192.0.2.53", primary_port: 53 },
          tsig: { name: "transfer.example.com", hash: "hmac-sha256", key: "c2VjcmV0" },
        },
      },
    ],
  },
);

export const importRoutes = [
  route({
    method: "PUT",
    path,
    tag,
    summary: "Create a zone by one transfer from another server",
    desc: "Transfers the zone once (AXFR), in the background, and imports it like a zone file with one record in each line, the SOA record in the first. `secondary` has the settings of a secondary zone, but the new zone is a primary one, and does not follow the server. Its TSIG secret is not stored.",
    right: "dns.manage_zones",
    target: ({ zone }) => ({ zone }),
    query: Type.Object(importSettings),
    body: TransferBody,
    ownTransaction: true,
    reply: ImportJob,
    log,
    async run({ params, query, body }, ctx) {
      const { imports, account_id, settings, db } = ctx;
      const zone = zoneName(params.zone, settings.edition);
      const importing = { ...settingsOf(query), log };
      const from = await serversIn(ctx, body.secondary);
      // refused before the server is asked; the transaction checks again
      if (await findZone(db, account_id, zone)) throw conflict("zone already exists", { zone });
      const limits = ctx.transferLimits;
      const place = imports.reserve(account_id, new MeasuredInput(limits.least, tooSlow));
      const held = { close: () => place.leave() };
      return await imports.start(account_id, { zone, type: "importtransfer" }, held, async (report) => {
        const { signal, traffic } = imports;
        const fetching = { zone, from, limits, place, signal, pace: traffic.pace(), report };
        const file = await occupying(place, () => fetchZone(fetching));
        const { result } = await imports.run(account_id, file, () => importZone(ctx, zone, file, importing, report));
        return result;
      });
    },
  }),
  route({
    method: "GET",
    path,
    tag,
    summary: "Get the job of an import by transfer",
    desc: "The last segment of the path is the job's id. Jobs are kept for a day.",
    right: "dns.view_zones",
    reply: ImportJob,
    run: ({ params }, ctx) => findImport(ctx, params.zone),
  }),
];

/** Reads the servers. Throws `invalid` for one that the account must not reach. */
async function serversIn({ account_id, settings }: TransferCtx, body: Record<string, unknown>): Promise<ReadSecondary> {
  const from = readSecondary({ ...body, enabled: true }, null)!;
  for (const server of primariesOf(from.settings)) {
    await settings.egress.assertOpen(account_id, server, "secondary.primary_ip");
  }
  return from;
}

const tooSlow = () => unavailable("the server was too slow while other imports waited for its slot: try again");
