/** Rescues accounts that locked themselves out: an operator empties allow lists and turns strict lists off. */
import { invalid, missing } from "../../../lib/problem.ts";
import type { Store } from "../../../storage/db.ts";
import { type Db, lockAccount } from "../../kit/store.ts";
import { type AllowListRow, emptyAllowLists } from "../allowlists/store.ts";
import { type KeyRow, updateKey } from "../members/key-store.ts";
import { loginOf } from "../members/login.ts";
import { countStrict, listRows } from "../members/rows-store.ts";
import { emptied, emptyTeamLists } from "../members/team-store.ts";
import { type UserRow, updateUser } from "../members/user-store.ts";
import type { AccountRow } from "./accounts-store.ts";
import { logCommand } from "./log.ts";

/** By default all allow lists are emptied. If keys or users are named, only these are changed. */
export interface RescueOptions {
  /** Turns the strict lists of all keys and users off as well. */
  readonly strict?: boolean;
  /** Ids of the keys whose strict lists are turned off. */
  readonly keys?: readonly string[];
  /** Login names of the users whose strict lists are turned off. */
  readonly users?: readonly string[];
}

/** The changed lists, keys and users as they were before: from these, an operator can restore them without the mistake. */
export interface Rescued {
  readonly account: AccountRow;
  readonly lists: readonly (Pick<AllowListRow, "id" | "name" | "values"> & { readonly team?: string })[];
  readonly keys: readonly KeyRow[];
  readonly users: readonly UserRow[];
  /** The numbers of keys and users that still have a strict list afterwards. */
  readonly held: { readonly keys: number; readonly users: number };
}

/** Rescues each account in a transaction of its own. */
export async function rescueAccounts(
  store: Store,
  accounts: readonly AccountRow[],
  options: RescueOptions,
  now: number,
): Promise<readonly Rescued[]> {
  const rescued = [];
  for (const account of accounts)
    rescued.push(await store.transaction((tx) => rescueAccount(tx, account, options, now)));
  return rescued;
}

async function rescueAccount(db: Db, account: AccountRow, options: RescueOptions, now: number): Promise<Rescued> {
  const { strict = false, keys = [], users = [] } = options;
  const { id } = account;
  if (strict && keys.length + users.length > 0)
    throw invalid("--strict applies to all keys and users: do not name any with it");
  await lockAccount(db, id);
  const log: Log = (noun, before, resource) =>
    logCommand(db, id, "store clear-allow-lists", { log: [noun, "update"], resource, before, now });
  const lists = keys.length + users.length > 0 ? [] : await emptyLists(db, id, log);
  const unlocked = {
    keys: await unlockKeys(db, account, strict ? "all" : keys, log),
    users: await unlockUsers(db, account, strict ? "all" : users, log),
  };
  const held = { keys: await countStrict(db, "api_key", id), users: await countStrict(db, "account_user", id) };
  return { account, lists, ...unlocked, held };
}

type Log = (noun: "whitelist" | "team" | "apikey" | "user", before: object, resource: object) => Promise<void>;

async function emptyLists(db: Db, account_id: string, log: Log): Promise<Rescued["lists"]> {
  const lists = await emptyAllowLists(db, account_id);
  for (const { account_id: _, ...before } of lists) await log("whitelist", before, { ...before, values: [] });
  const teams = await emptyTeamLists(db, account_id);
  for (const { id, name, ip_whitelist } of teams) {
    await log("team", { id, name, ip_whitelist }, { id, name, ip_whitelist: emptied(ip_whitelist) });
  }
  const ofTeams = teams.flatMap((team) => team.ip_whitelist.map((list) => ({ team: team.name, ...list })));
  return [...lists, ...ofTeams.filter(({ values }) => values.length > 0)];
}

type Named = "all" | readonly string[];

async function unlockKeys(db: Db, account: AccountRow, named: Named, log: Log): Promise<KeyRow[]> {
  if (named.length === 0) return [];
  const keys = await listRows(db, "api_key", account.id);
  const chosen =
    named === "all" ? keys : named.map((id) => getRow(account, `key "${id}"`, keys, (key) => key.id === id));
  const held = chosen.filter(({ ip_whitelist_strict }) => ip_whitelist_strict);
  for (const row of held) {
    const { id, name, ip_whitelist } = row;
    await updateKey(db, { ...row, ip_whitelist_strict: false });
    await log("apikey", { id, name, ip_whitelist, ...wasStrict }, { id, name, ip_whitelist, ...notStrict });
  }
  return held;
}

async function unlockUsers(db: Db, account: AccountRow, named: Named, log: Log): Promise<UserRow[]> {
  if (named.length === 0) return [];
  const users = await listRows(db, "account_user", account.id);
  const isCalled = (name: string) => (user: UserRow) => loginOf(user.username) === loginOf(name);
  const chosen =
    named === "all" ? users : named.map((name) => getRow(account, `user "${name}"`, users, isCalled(name)));
  const held = chosen.filter(({ ip_whitelist_strict }) => ip_whitelist_strict);
  for (const row of held) {
    const { id, username, ip_whitelist } = row;
    await updateUser(db, { ...row, ip_whitelist_strict: false }, row);
    await log("user", { id, username, ip_whitelist, ...wasStrict }, { id, username, ip_whitelist, ...notStrict });
  }
  return held;
}

const wasStrict = { ip_whitelist_strict: true };
const notStrict = { ip_whitelist_strict: false };

function getRow<T>({ name }: AccountRow, what: string, rows: readonly T[], isIt: (row: T) => boolean): T {
  const row = rows.find(isIt);
  if (row === undefined) throw missing(`account ${name} has no ${what}`);
  return row;
}
