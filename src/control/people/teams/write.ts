/**
 * Creating, changing and deleting teams. A change of a team may not do to its members more than the caller could do
 * directly.
 */
import { isDeepStrictEqual } from "node:util";
import { LongWork } from "../../../lib/fair/yield.ts";
import { newId } from "../../../lib/ids.ts";
import { conflict, invalid } from "../../../lib/problem.ts";
import type { AllowEntry } from "../../../storage/tables/accounts.ts";
import { assertAllowList } from "../../access/allowlist.ts";
import { assertTeamsFit, permissionsOf } from "../../access/holder.ts";
import { assertNoGain, assertNoLockout } from "../../access/lifetime.ts";
import { mergePermissions, octetsOf, showPermissions } from "../../access/permissions.ts";
import { grantOf } from "../../access/permit.ts";
import type { Edition } from "../../access/rights.ts";
import { assertHeld, assertNotLockedOut, assertNoWider, isSameStanding, standingOf } from "../../access/standing.ts";
import { limits } from "../../kit/limits.ts";
import type { Db } from "../../kit/store.ts";
import type { Ctx } from "../../write/context.ts";
import {
  assertAdministratorRemains,
  assertKeyRemains,
  findMembers,
  type Members,
  withoutTeam,
  withTeam,
} from "../members/members.ts";
import { assertRoom, assertRoomFor } from "../members/room.ts";
import { countRows, deleteRow, getRow, isNameTaken } from "../members/rows-store.ts";
import { insertTeam, type TeamRow, updateMemberships, updateTeam } from "../members/team-store.ts";
import type { TeamBody } from "./routes.ts";

export async function createTeam(ctx: Ctx, body: TeamBody): Promise<TeamRow> {
  const { db, account_id, now } = ctx;
  if ((await countRows(db, "team", account_id)) >= limits.teams)
    throw invalid(`an account can have at most ${limits.teams} teams`);
  const blank: TeamRow = { account_id, id: newId(), name: "", permissions: {}, ip_whitelist: [], created: now };
  const row = withBody(blank, body, ctx);
  await assertNameFree(db, row);
  assertHeldTeam(ctx, row);
  await assertRoom(ctx, "team", row);
  await insertTeam(db, row);
  return row;
}

interface Change {
  readonly before: TeamRow;
  readonly row: TeamRow;
  readonly changed: boolean;
}

export async function changeTeam(ctx: Ctx, id: string, body: TeamBody): Promise<Change> {
  const { db, account_id, settings } = ctx;
  const before = await getTeam(ctx, id);
  const row = withBody(before, body, ctx);
  if (isDeepStrictEqual(shown(row, settings.edition), shown(before, settings.edition))) {
    return { before, row: before, changed: false };
  }
  const members = await findMembers(db, account_id, id);
  await assertNameFree(db, row);
  assertHeldTeam(ctx, before);
  assertHeldTeam(ctx, row);
  const after = withTeam(members, row);
  if (octetsOf(permissionsOf(row)) > octetsOf(permissionsOf(before))) {
    for (const { teams } of [...after.keys, ...after.users]) assertTeamsFit(teams, [], after.teams);
  }
  await assertMembersMay(ctx, members, after);
  await assertRoom(ctx, "team", row, before);
  await updateTeam(db, row);
  ctx.afterCommit("callers");
  return { before, row, changed: true };
}

/** Members keep their other teams; members without another team get this team's permissions as their own. */
export async function removeTeam(ctx: Ctx, id: string): Promise<TeamRow> {
  const { db, account_id } = ctx;
  const row = await getTeam(ctx, id);
  const members = await findMembers(db, account_id, id);
  const after = withoutTeam(members, row);
  assertHeldTeam(ctx, row);
  await assertMembersMay(ctx, members, after);
  const heirs = [...after.keys, ...after.users].filter(({ teams }) => teams.length === 0);
  await assertRoomFor(ctx, octetsOf(permissionsOf(row)) * heirs.length);
  await updateMemberships(db, "api_key", after.keys, row);
  await updateMemberships(db, "account_user", after.users, row);
  await deleteRow(db, "team", row);
  ctx.afterCommit("callers");
  return row;
}

export const getTeam = ({ db, account_id }: Ctx, id: string): Promise<TeamRow> =>
  getRow(db, "team", { account_id, id }, "team not found");

function withBody(before: TeamRow, body: TeamBody, { settings, warnings }: Ctx): TeamRow {
  const name = body.name ?? before.name;
  const { length } = [...name];
  if (length < 1 || length > 255) throw invalid("name must have 1 to 255 characters", { field: "name" });
  return {
    ...before,
    name,
    permissions:
      body.permissions === null
        ? {}
        : mergePermissions(permissionsOf(before), body.permissions ?? {}, settings.edition, warnings),
    ip_whitelist: body.ip_whitelist === undefined ? before.ip_whitelist : entriesOf(before, body.ip_whitelist ?? []),
  };
}

/** An entry sent with a stored id keeps it; all other entries get new ids. */
function entriesOf(before: TeamRow, sent: NonNullable<TeamBody["ip_whitelist"]>): AllowEntry[] {
  const field = "ip_whitelist";
  const known = new Set(before.ip_whitelist.map(({ id }) => id));
  const entries = sent.map(({ id, name, values }) => ({
    id: id && known.delete(id) ? id : newId(),
    name: name ?? "",
    values: values ?? [],
  }));
  for (const { name } of entries) {
    if ([...name].length > 255) throw invalid(`${field}: a name can have at most 255 characters`, { field });
  }
  if (entries.length > limits.allowListEntries)
    throw invalid(`${field} can have at most ${limits.allowListEntries} lists`, { field });
  assertAllowList(
    entries.flatMap(({ values }) => values),
    field,
  );
  return entries;
}

const shown = (row: TeamRow, edition: Edition) => ({
  ...row,
  permissions: showPermissions(permissionsOf(row), edition),
});

async function assertNameFree(db: Db, row: TeamRow): Promise<void> {
  if (await isNameTaken(db, "team", row)) {
    throw conflict(`team with name "${row.name}" exists`, { name: row.name });
  }
}

/** A caller cannot create, change or delete a team that grants rights that the caller lacks. */
const assertHeldTeam = ({ caller }: Ctx, row: TeamRow) => assertHeld(caller, { access: [grantOf(permissionsOf(row))] });

/**
 * Checks each member before and after a change of a team: members gain no rights beyond the caller's, at least one
 * administrator remains, and callers do not lock themselves out.
 */
async function assertMembersMay(ctx: Ctx, before: Members, after: Members): Promise<void> {
  const { db, account_id, caller, sender } = ctx;
  const next = new Map([...after.keys, ...after.users].map((holder) => [holder.id, holder]));
  const work = new LongWork();
  for (const holder of [...before.keys, ...before.users]) {
    await work.giveWay();
    const standing = standingOf(next.get(holder.id) ?? holder, after.teams);
    const held = standingOf(holder, before.teams);
    if (!isSameStanding(standing, held)) assertNoWider(caller, standing);
    assertNoGain(caller, held, standing);
    assertNoLockout(caller, holder, held, standing);
    if (holder.id === caller.id) assertNotLockedOut(standing, sender?.address);
  }
  const of = <Row>(rows: readonly Row[], { teams }: Members) => ({ rows, teams });
  const users = { before: of(before.users, before), after: of(after.users, after) };
  const keys = { before: of(before.keys, before), after: of(after.keys, after) };
  await assertKeyRemains(db, account_id, keys, users.after);
  await assertAdministratorRemains(db, account_id, users);
}
