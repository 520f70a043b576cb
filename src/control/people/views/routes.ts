/** The routes of saved views: small settings of a user for the pages of a portal. */
import { Type } from "typebox";
import { newId } from "../../../lib/ids.ts";
import { invalid, invalidField, missing } from "../../../lib/problem.ts";
import { limits } from "../../kit/limits.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { ownUser } from "../members/own.ts";
import { NewViewBody, View, ViewBody } from "./schema.ts";
import { countViews, findView, insertView, listViews, removeView, updateView, type ViewRow } from "./store.ts";

const path = "/v1/views";
const common = { tag: "Account", right: "any" } as const;

export const viewRoutes = [
  route({
    ...common,
    method: "GET",
    path,
    summary: "List your saved views",
    desc: "The views of the user of the session, in the order of their creation. An API key has none.",
    query: Type.Object({ page: Type.Optional(Type.String({ description: "Only the views of this page." })) }),
    reply: Type.Array(View),
    run: async ({ query }, ctx) => await listViews(ctx.db, ownerOf(ctx), query.page),
  }),
  route({
    ...common,
    method: "GET",
    path: `${path}/:id`,
    summary: "Get one of your saved views",
    reply: View,
    run: ({ params }, ctx) => getView(ctx, params.id),
  }),
  route({
    ...common,
    method: "PUT",
    path,
    summary: "Save a view",
    desc: "Keeps a name and settings of a page for this user.",
    exclusive: true,
    body: NewViewBody,
    reply: View,
    async run({ body: { name, page, settings } }, ctx) {
      const { account_id, id: user_id } = ownerOf(ctx);
      assertSmall(settings);
      await assertRoom(ctx);
      const times = { created_at: ctx.now, updated_at: ctx.now };
      const row = { account_id, user_id, id: newId(), name, page, settings, ...times };
      await insertView(ctx.db, row);
      return row;
    },
  }),
  route({
    ...common,
    method: "POST",
    path: `${path}/:id`,
    summary: "Change one of your saved views",
    desc: "Absent fields stay unchanged; `settings` are replaced as a whole.",
    body: ViewBody,
    reply: View,
    async run({ params, body }, ctx) {
      if (body.settings) assertSmall(body.settings);
      const row = { ...(await getView(ctx, params.id)), ...body, updated_at: ctx.now };
      await updateView(ctx.db, row);
      return row;
    },
  }),
  route({
    ...common,
    method: "DELETE",
    path: `${path}/:id`,
    summary: "Delete one of your saved views",
    reply: "status",
    async run({ params }, ctx) {
      const { id } = await getView(ctx, params.id);
      await removeView(ctx.db, ownerOf(ctx), id);
      return {};
    },
  }),
];

const ownerOf = (ctx: Ctx) => ownUser(ctx, "saved views");

async function getView(ctx: Ctx, id: string): Promise<ViewRow> {
  const row = await findView(ctx.db, ownerOf(ctx), id);
  if (!row) throw missing("saved view not found", { id });
  return row;
}

function assertSmall(settings: object): void {
  const limit = limits.viewKilobytes * 1024;
  const octets = Buffer.byteLength(JSON.stringify(settings));
  if (octets > limit) throw invalidField("settings", `at most ${limit} octets of JSON, not ${octets}`, { limit });
}

async function assertRoom(ctx: Ctx): Promise<void> {
  const { own, all } = await countViews(ctx.db, ownerOf(ctx));
  const { views, accountViews } = limits;
  if (own >= views) throw invalid(`you can have at most ${views} saved views: delete some`, { limit: views });
  if (all < accountViews) return;
  const message = `the users of an account can have at most ${accountViews} saved views together: delete some`;
  throw invalid(message, { limit: accountViews });
}
