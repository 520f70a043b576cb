/** Makes the demo: a zone with steered records, and the data source with the feeds that they read. */
import { conflict } from "../../lib/problem.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { assertPermitted } from "../access/caller.ts";
import { createFeed } from "../feeds/feed.ts";
import { createSource } from "../feeds/source.ts";
import type { Ctx } from "../write/context.ts";
import { zoneName } from "../zones/model/zone/fields.ts";
import { findZone } from "../zones/model/zone/store.ts";
import { writeMany } from "../zones/records/bulk.ts";
import { createZone } from "../zones/write.ts";
import { type DemoFeeds, demoRecords, labels } from "./records.ts";

const usualZone = "demo.example";

interface Demo {
  readonly zone: ZoneRow;
  readonly source: string;
  readonly feeds: DemoFeeds;
  readonly records: readonly { readonly domain: string; readonly type: string }[];
}

export async function makeDemo(ctx: Ctx, sent: string | null | undefined): Promise<Demo> {
  const name = zoneName(sent ?? usualZone, ctx.settings.edition);
  assertPermitted(ctx.caller, "dns.manage_zones", { zone: name });
  assertPermitted(ctx.caller, "data.manage_datasources");
  assertPermitted(ctx.caller, "data.manage_datafeeds");
  if (await findZone(ctx.db, ctx.account_id, name)) throw conflict("zone already exists", { zone: name });
  const { id: source } = await createSource(ctx, { name: `demo ${name}`.slice(0, 255), sourcetype: "nsone_v1" });
  const feeds = { east: "", west: "" };
  // up until a push says otherwise
  const fallback = { up: true };
  for (const label of labels) {
    feeds[label] = (await createFeed(ctx, source, { name: label, config: { label }, fallback })).id;
  }
  const zone = await createZone(ctx, name, {});
  const records = demoRecords(name, feeds);
  await writeMany(ctx, name, { put: records, remove: [] }, {});
  return { zone, source, feeds, records: records.map(({ domain, type }) => ({ domain, type })) };
}
