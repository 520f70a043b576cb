/** The routes of drafts: change sets that a user has begun, and that change nothing. */
import { Type } from "typebox";
import { route } from "../../write/route.ts";
import { Draft, DraftBody, DraftHead, draftDays, NewDraftBody } from "./schema.ts";
import { listDrafts } from "./store.ts";
import { changeDraft, createDraft, deleteDraft, draftReply, getDraft, headReply, ownerOf } from "./write.ts";

const path = "/v1/drafts";
/** The most octets of the body of a draft. */
export const draftOctets = 2 * 1024 * 1024;
const common = { tag: "Changes", secret: true } as const;
const write = { ...common, right: "dns.manage_zones", exclusive: true } as const;
const size = { mostBody: draftOctets, mostKeys: 100_000 } as const;

export const draftRoutes = [
  route({
    ...common,
    method: "GET",
    path,
    summary: "List your drafts",
    desc: "The drafts of the user of the session, without their writes. A key has no drafts.",
    right: "any",
    reply: Type.Array(DraftHead),
    run: async (_, ctx) => (await listDrafts(ctx.db, ownerOf(ctx))).map(headReply),
  }),
  route({
    ...common,
    method: "GET",
    path: `${path}/:id`,
    summary: "Get one of your drafts",
    desc: "`zones`, `records` and `expect` are a body of `PUT /v1/changesets`, which applies the draft.",
    right: "any",
    reply: Draft,
    run: async ({ params }, ctx) => draftReply(ctx, await getDraft(ctx, params.id)),
  }),
  route({
    ...write,
    ...size,
    method: "PUT",
    path,
    summary: "Create a draft",
    desc: `Keeps the body of a change set, which may be unfinished, for ${draftDays} days after its last change. Only this user can see it. It is stored sealed, and checked when it is applied.`,
    body: NewDraftBody,
    reply: Draft,
    run: async ({ body }, ctx) => draftReply(ctx, await createDraft(ctx, body)),
  }),
  route({
    ...write,
    ...size,
    method: "POST",
    path: `${path}/:id`,
    summary: "Change one of your drafts",
    desc: "Absent fields stay unchanged; each list replaces the earlier one.",
    body: DraftBody,
    reply: Draft,
    run: async ({ params, body }, ctx) => draftReply(ctx, (await changeDraft(ctx, params.id, body)).row),
  }),
  route({
    ...common,
    method: "DELETE",
    path: `${path}/:id`,
    summary: "Delete one of your drafts",
    right: "any",
    reply: "status",
    async run({ params }, ctx) {
      await deleteDraft(ctx, params.id);
      return {};
    },
  }),
];
