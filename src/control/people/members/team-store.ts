/** SQL of an account's teams. */
import { type Selectable, sql } from "kysely";
import type { ApiKeyTable, TeamTable } from "../../../storage/tables/accounts.ts";
import { type Holder, type Teams, teamsById } from "../../access/holder.ts";
import type { Db } from "../../kit/store.ts";
import { listRows } from "./rows-store.ts";

export type TeamRow = Selectable<TeamTable>;

/** The teams with these ids, as far as they exist. */
export async function findTeams(db: Db, account_id: string, ids: readonly string[]): Promise<Teams> {
  if (ids.length === 0) return new Map();
  const all = db.selectFrom("team").selectAll().where("account_id", "=", account_id);
  return teamsById(await all.where(sql<boolean>`id = any(${ids}::text[])`).execute());
}

/** The teams of all the holders together. */
export const findTeamsOf = (db: Db, account_id: string, holders: readonly Pick<Holder, "teams">[]): Promise<Teams> =>
  findTeams(db, account_id, [...new Set(holders.flatMap(({ teams }) => teams))]);

export async function insertTeam(db: Db, row: TeamRow): Promise<void> {
  await db
    .insertInto("team")
    .values({ ...row, ...documents(row) })
    .execute();
}

export async function updateTeam(db: Db, row: TeamRow): Promise<void> {
  await db
    .updateTable("team")
    .set({ name: row.name, ...documents(row) })
    .where("account_id", "=", row.account_id)
    .where("id", "=", row.id)
    .execute();
}

type MemberRow = Pick<Selectable<ApiKeyTable>, "account_id" | "id" | "teams">;

/**
 * Updates the teams of any number of keys or users. Members left without a team get the permissions as their own. The
 * permissions are sent once for all members, because they may have thousands of rules.
 */
export async function updateMemberships(
  db: Db,
  table: "api_key" | "account_user",
  rows: readonly MemberRow[],
  { permissions }: Pick<Holder, "permissions">,
): Promise<void> {
  const accounts = rows.map((row) => row.account_id);
  const ids = rows.map((row) => row.id);
  const teams = rows.map((row) => JSON.stringify(row.teams));
  await sql`
    update ${sql.table(table)} as member set
      teams = given.teams::json,
      permissions = case when given.teams = '[]' then ${JSON.stringify(permissions)}::json else member.permissions end
    from unnest(${accounts}::text[], ${ids}::text[], ${teams}::text[]) as given (account_id, id, teams)
    where member.account_id = given.account_id and member.id = given.id`.execute(db);
}

/**
 * Removes all values from the allow lists of an account's teams. Returns the teams that had any, as they were before.
 */
export async function emptyTeamLists(db: Db, account_id: string): Promise<TeamRow[]> {
  const teams = await listRows(db, "team", account_id);
  const filled = teams.filter((team) => team.ip_whitelist.some(({ values }) => values.length > 0));
  for (const row of filled) await updateTeam(db, { ...row, ip_whitelist: emptied(row.ip_whitelist) });
  return filled;
}

export const emptied = (lists: TeamRow["ip_whitelist"]) => lists.map((list) => ({ ...list, values: [] }));

const documents = ({ permissions, ip_whitelist }: TeamRow) => ({
  permissions: JSON.stringify(permissions),
  ip_whitelist: JSON.stringify(ip_whitelist),
});
