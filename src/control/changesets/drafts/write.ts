/** Creating, changing and removing a user's drafts. They are sealed, since they may contain keys of zone transfers. */
import { newId } from "../../../lib/ids.ts";
import { invalid, missing } from "../../../lib/problem.ts";
import { limits } from "../../kit/limits.ts";
import type { UserRef } from "../../people/credentials/user-rows-store.ts";
import { ownUser } from "../../people/members/own.ts";
import type { Changed, Ctx } from "../../write/context.ts";
import {
  type Draft,
  type DraftBody,
  type DraftContent,
  type DraftHead,
  draftDays,
  type NewDraftBody,
  zonesShown,
} from "./schema.ts";
import {
  type DraftHeadRow,
  type DraftRow,
  findDraft,
  insertDraft,
  removeDraft,
  sizeOfOthers,
  updateDraft,
} from "./store.ts";

/** What each draft counts besides its JSON. */
const headOctets = 1024;
const megabyte = 1024 * 1024;

export const ownerOf = (ctx: Ctx): UserRef => ownUser(ctx, "drafts");

export async function createDraft(ctx: Ctx, body: NewDraftBody): Promise<DraftRow> {
  const { account_id, id: user_id } = ownerOf(ctx);
  const { now: created_at } = ctx;
  const content = contentAfter(body, { zones: [], records: [], expect: [] });
  const row = withContent(ctx, { account_id, user_id, id: newId(), created_at }, body.name, content);
  await assertRoom(ctx, row);
  await insertDraft(ctx.db, row);
  return row;
}

export async function changeDraft(ctx: Ctx, id: string, body: DraftBody): Promise<Changed<DraftRow>> {
  const before = await getDraft(ctx, id);
  const row = withContent(ctx, before, body.name ?? before.name, contentAfter(body, openContent(ctx, before)));
  await assertRoom(ctx, row);
  await updateDraft(ctx.db, row);
  return { before, row, changed: true };
}

export async function deleteDraft(ctx: Ctx, id: string): Promise<void> {
  const { id: found } = await getDraft(ctx, id);
  await removeDraft(ctx.db, ownerOf(ctx), found);
}

export async function getDraft(ctx: Ctx, id: string): Promise<DraftRow> {
  const row = await findDraft(ctx.db, ownerOf(ctx), id);
  if (!row) throw missing("draft not found", { id });
  return row;
}

export const headReply = ({ id, name, zones, writes, created_at, updated_at }: DraftHeadRow): DraftHead => ({
  ...{ id, name, zone_names: zones, writes, created_at, updated_at },
  expires_at: updated_at + draftDays * 86_400,
});

export const draftReply = (ctx: Ctx, row: DraftRow): Draft => ({ ...headReply(row), ...openContent(ctx, row) });

const contentAfter = (body: DraftBody, before: DraftContent): DraftContent => ({
  zones: after(body.zones, before.zones),
  records: after(body.records, before.records),
  expect: after(body.expect, before.expect),
});

const after = <T>(sent: readonly T[] | null | undefined, before: T[]): T[] =>
  sent === undefined ? before : [...(sent ?? [])];

function withContent(
  { secrets, now }: Ctx,
  { account_id, user_id, id, created_at }: Pick<DraftRow, "account_id" | "user_id" | "id" | "created_at">,
  name: string,
  content: DraftContent,
): DraftRow {
  const { zones, records, expect } = content;
  const text = JSON.stringify(content);
  const named = new Set([...zones, ...records, ...expect].map(({ zone }) => zone.slice(0, 255)));
  return {
    ...{ account_id, user_id, id, name, created_at, updated_at: now },
    zones: [...named].sort().slice(0, zonesShown),
    writes: zones.length + records.length,
    octets: Buffer.byteLength(text) + headOctets,
    content: secrets.seal(text, contextOf(id)),
  };
}

const openContent = ({ secrets }: Ctx, { id, content }: DraftRow): DraftContent =>
  JSON.parse(secrets.open(content, contextOf(id)));

const contextOf = (id: string) => `draft.content:${id}`;

async function assertRoom(ctx: Ctx, { id, octets }: DraftRow): Promise<void> {
  const { drafts, own, all } = await sizeOfOthers(ctx.db, ownerOf(ctx), id);
  if (drafts >= limits.drafts) {
    throw invalid(`you can have at most ${limits.drafts} drafts: delete some`, { limit: limits.drafts });
  }
  assertFits("your drafts", own + octets, limits.draftMegabytes);
  assertFits("the drafts of all users of the account", all + octets, limits.accountDraftMegabytes);
}

function assertFits(whose: string, octets: number, limit: number): void {
  if (octets <= limit * megabyte) return;
  throw invalid(`${whose} can have at most ${limit} MiB together: delete some`, { octets, limit: limit * megabyte });
}
