/** The routes of deleted zones, which can be restored for a while after their deletion. */
import { type Static, Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { reachesZone } from "../../access/access.ts";
import { openPage, printCursor, scanCursor } from "../../kit/listing.ts";
import { route } from "../../write/route.ts";
import { zoneOnly } from "../model/zone/present.ts";
import { ZoneOnly } from "../model/zone/schema.ts";
import { type DeletedRow, listDeleted } from "./store.ts";
import { bringBack, removeForGood } from "./write.ts";

const tag = "Zones";
const path = "/v1/deletedzones";
const undelete = ["dns_zone", "undelete"] as const;
const zonePage = 1000;

const DeletedZone = Type.Object(
  {
    id: Type.String(),
    zone: Type.String(),
    records: Type.Integer({ description: "Number of records." }),
    deleted_at: Type.Integer(),
    kept_until: Type.Integer({
      description: "The time at which the zone is removed for good and its name becomes free.",
    }),
    user: Type.Object(
      { id: Type.String(), name: Type.String(), type: Type.String() },
      { description: "The user or key that deleted the zone, as in the activity log." },
    ),
  },
  { $id: "DeletedZone" },
);

export const deletedRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "List deleted zones",
    desc: "Deleted zones that can be brought back, ordered by name.",
    right: "dns.view_zones",
    reply: Type.Array(DeletedZone),
    page: zonePage,
    async run({ page }, { db, account_id, caller, now }) {
      const [zone, id] = scanCursor(page.after);
      const { items, last } = await openPage<DeletedRow>(
        page.limit,
        ({ zone }) => reachesZone(caller.access, "dns.view_zones", zone),
        (after, count) => listDeleted(db, account_id, now, after ?? { zone, id }, count),
      );
      return new Reply(items.map(deletedReply), { next: last && printCursor(last.zone, last.id) });
    },
  }),
  route({
    method: "POST",
    path: `${path}/:zone/undelete`,
    tag,
    summary: "Bring a deleted zone back",
    desc: "The path names a deleted zone by id or by name; a name means the zone with that name that was deleted last. All of its records come back in one change, with its history.",
    right: "dns.manage_zones",
    exactQuery: true,
    secret: true,
    reply: ZoneOnly,
    log: undelete,
    ownTransaction: true,
    async run({ params }, ctx) {
      const { result, change } = await ctx.transact(undelete, async (tx) => {
        const { before, row } = await bringBack(tx, params.zone);
        const result = zoneOnly(tx, row);
        return { result, resource: result, before: zoneOnly(tx, before) };
      });
      return new Reply(result, { change });
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/:zone`,
    tag,
    summary: "Remove a deleted zone for good",
    desc: "It can no longer be brought back, and its name is free for every account.",
    right: "dns.manage_zones",
    exactQuery: true,
    reply: "status",
    log: ["dns_zone", "purge"],
    run: async ({ params }, ctx) => deletedReply(await removeForGood(ctx, params.zone)),
  }),
];

const deletedReply = (row: DeletedRow): Static<typeof DeletedZone> => ({
  id: row.id,
  zone: row.zone,
  records: row.records,
  deleted_at: row.deleted_at,
  kept_until: row.kept_until,
  user: { id: row.user_id, name: row.user_name, type: row.user_type },
});
