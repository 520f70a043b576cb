/** The routes of records. */
import { Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { assertPermitted } from "../../access/caller.ts";
import { maybe } from "../../kit/schema.ts";
import { inSnapshot } from "../../kit/store.ts";
import type { Ctx } from "../../write/context.ts";
import type { RecordZone } from "../../write/lock-store.ts";
import { route } from "../../write/route.ts";
import { findPoint, Past, type Point } from "../history/past.ts";
import { pointQuery } from "../history/schema.ts";
import { findZones } from "../model/record/link-store.ts";
import { recordReply } from "../model/record/present.ts";
import { NamedRecordBody, NewAnswer, Record, RecordBody } from "../model/record/schema.ts";
import { findRecord } from "../model/record/store.ts";
import { getZone } from "../model/zone/find.ts";
import { answering } from "../model/zone/link.ts";
import { renamed } from "../model/zone/present.ts";
import { changeAnswers } from "./answers.ts";
import type { Written } from "./apply.ts";
import { writeMany } from "./bulk.ts";
import { confirmation } from "./guard.ts";
import { type CheckedPath, readPath, recordNotFound } from "./path.ts";
import { changeRecord, createRecord, removeRecord } from "./write.ts";

const tag = "Records";
const path = "/v1/zones/:zone/:domain/:type";
const named = Type.Object({ domain: Type.String(), type: Type.String() });
const goneAnswer = Type.Object({
  id: maybe(Type.String()),
  answer: maybe(Type.Unsafe<readonly (string | number)[]>({ type: "array", items: { type: ["string", "number"] } })),
});

export const recordRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "Get a record",
    right: "dns.view_zones",
    desc: "The current record, or the record as of a version of the zone or a time.",
    target: (params) => params,
    query: Type.Object(pointQuery),
    reply: Record,
    async run({ params, query }, ctx) {
      const path = readPath(ctx, params);
      if (query.version !== undefined || query.at !== undefined) return await earlierRecord(ctx, path, query);
      const found = await findRecord(ctx.db, ctx.account_id, path.zone, path.domain, path.type.name);
      if (found && found.zone.link !== null) return await recordOfTarget(ctx, path, found.zone, found.zone.link);
      const row = found?.records[0];
      // clients take nothing else for a missing record, also when its zone is missing
      if (!found || !row) throw recordNotFound(path);
      return recordReply(ctx, row, found.zone);
    },
  }),
  route({
    method: "PUT",
    path,
    tag,
    summary: "Create a record",
    desc: "The path names zone, domain and type; those in the body are ignored.",
    right: "dns.manage_zones",
    target: (params) => params,
    body: RecordBody,
    reply: Record,
    log: ["record", "create"],
    shareable: true,
    run: async ({ params, body }, ctx) => replyOf(ctx, await createRecord(ctx, params, body)),
  }),
  route({
    method: "POST",
    path,
    tag,
    summary: "Change a record",
    desc: "Answers, filters, regions and meta are replaced as a whole. Fields that are left out keep their value.",
    right: "dns.manage_zones",
    target: (params) => params,
    body: RecordBody,
    reply: Record,
    log: ["record", "update"],
    shareable: true,
    run: async ({ params, body }, ctx) => replyOf(ctx, await changeRecord(ctx, params, body)),
  }),
  route({
    method: "DELETE",
    path,
    tag,
    summary: "Delete a record with all of its answers",
    desc: "With a session, deleting a large share of the zone's records within ten minutes requires a confirmation.",
    right: "dns.manage_zones",
    target: (params) => params,
    query: Type.Object(confirmation),
    reply: "status",
    log: ["record", "delete"],
    shareable: true,
    run: async ({ params, query }, ctx) => replyOf(ctx, await removeRecord(ctx, params, query)),
  }),
  route({
    method: "POST",
    path: `${path}/answers`,
    tag,
    summary: "Add and remove single answers",
    desc: "Concurrent calls all succeed. Adding the first answer creates the record; removing the last one deletes it.",
    right: "dns.manage_zones",
    exactQuery: true,
    target: (params) => params,
    query: Type.Object(confirmation),
    body: Type.Object({ add: maybe(Type.Array(NewAnswer)), remove: maybe(Type.Array(goneAnswer)) }),
    reply: Record,
    log: ["record", "update"],
    shareable: true,
    run: async ({ params, query, body: { add, remove } }, ctx) =>
      replyOf(ctx, await changeAnswers(ctx, params, { add: add ?? [], remove: remove ?? [] }, query)),
  }),
  route({
    method: "POST",
    path: "/v1/zones/:zone/records",
    tag,
    summary: "Write many records in one revision",
    desc: "`put` creates records or replaces them as a whole; `remove` deletes them. Either all writes succeed or none.",
    right: "dns.manage_zones",
    exactQuery: true,
    target: ({ zone }) => ({ zone }),
    query: Type.Object(confirmation),
    body: Type.Object({
      put: maybe(Type.Array(NamedRecordBody)),
      remove: maybe(Type.Array(named)),
    }),
    reply: Type.Object({ zone: Type.String(), records: Type.Array(Record), removed: Type.Array(named) }),
    mostKeys: 200_000,
    log: ["record", "bulk"],
    async run({ params, query, body: { put, remove } }, ctx) {
      const {
        zone,
        put: written,
        removed,
      } = await writeMany(ctx, params.zone, { put: put ?? [], remove: remove ?? [] }, query);
      const records = written.map(({ row }) => recordReply(ctx, row, zone));
      const reply = { zone: zone.zone, records, removed: removed.map(({ domain, type }) => ({ domain, type })) };
      const replaced = written.flatMap(({ before, changed }) => (before && changed ? before : []));
      if (removed.length === 0 && !written.some(({ changed }) => changed)) return new Reply(reply, { changed: false });
      return new Reply(reply, {
        before: { ...reply, records: [...removed, ...replaced].map((row) => recordReply(ctx, row, zone)) },
      });
    },
  }),
];

/** A record of a linked zone: that of the target, under its name in the linked zone. */
async function recordOfTarget(ctx: Ctx, path: CheckedPath, zone: RecordZone, link: string) {
  const { db, account_id, caller } = ctx;
  const [domain, type] = [renamed(path.domain, path.zone, link), path.type.name];
  assertPermitted(caller, "dns.view_zones", { zone: link, domain, type });
  const [target] = answering(await findZones(db, account_id, [link]));
  const found = target && (await findRecord(db, account_id, target.zone, domain, type));
  const row = found?.records[0];
  if (!row) throw recordNotFound(path);
  return recordReply(ctx, { ...row, domain: path.domain }, { ...zone, tags: found.zone.tags });
}

const earlierRecord = (ctx: Ctx, path: CheckedPath, point: Point) =>
  inSnapshot(ctx.db, async (db) => {
    const zone = await getZone({ ...ctx, db }, path.zone);
    const past = await Past.open(db, zone, (await findPoint(db, zone, point))!);
    const { domain, type } = path;
    const found = await findRecord(db, ctx.account_id, zone.zone, domain, type.name);
    const row = past.record({ domain, type: type.name }, found?.records[0]);
    if (!row) throw recordNotFound(path);
    return recordReply(ctx, row, past.zone);
  });

/** The reply to a write of one record. */
export const replyOf = (ctx: Ctx, { zone, before, row, changed }: Written) => {
  const reply = recordReply(ctx, row, zone);
  if (!changed) return new Reply(reply, { changed: false });
  return before && before !== row ? new Reply(reply, { before: recordReply(ctx, before, zone) }) : reply;
};
