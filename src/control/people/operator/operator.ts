/**
 * Accounts of the operator: only there, the rights over the whole installation have an effect. Callers can grant only
 * rights that they have, so the first holders get these here.
 */
import { invalid, missing } from "../../../lib/problem.ts";
import type { Store } from "../../../storage/db.ts";
import { reachesEverything } from "../../access/access.ts";
import { permissionsOf } from "../../access/holder.ts";
import { isGranted, type Permissions } from "../../access/permissions.ts";
import { grantOf } from "../../access/permit.ts";
import { type Right, rightNames, rightPath, rights } from "../../access/rights.ts";
import { type Db, lockAccount } from "../../kit/store.ts";
import { claimOperator, findFirstAccount } from "../members/first-store.ts";
import { type KeyRow, updateKey } from "../members/key-store.ts";
import { loginOf } from "../members/login.ts";
import { listRows } from "../members/rows-store.ts";
import { type UserRow, updateUser } from "../members/user-store.ts";
import { type AccountRow, setOperator } from "./accounts-store.ts";
import { logCommand } from "./log.ts";

/** Who gets the rights: those that are named; if none is, all that have every other right. */
export interface Named {
  readonly users?: readonly string[];
  /** Ids of keys. */
  readonly keys?: readonly string[];
}

/** Who got the rights. */
export interface Given {
  readonly users: readonly UserRow[];
  readonly keys: readonly KeyRow[];
}

export interface OperatorChange {
  /** Whether the account was none of the operator before, or is none any more. */
  readonly changed: boolean;
  readonly given: Given;
}

/** Makes an account one of the operator, and gives the rights. Without a change, only those that are named get them. */
export async function beginOperator(
  store: Store,
  account: AccountRow,
  named: Named,
  now: number,
): Promise<OperatorChange> {
  return await store.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const changed = await setOperator(tx, account.id, true);
    const isNamed = (named.users ?? []).length + (named.keys ?? []).length > 0;
    const given = changed || isNamed ? await giveRights(tx, account.id, isNamed ? named : undefined) : nobody;
    if (changed) await logAccount(tx, account, true, now);
    const log = (noun: "user" | "apikey", resource: object) =>
      logCommand(tx, account.id, "account operator", { log: [noun, "update"], resource, now });
    for (const { id, username, permissions } of given.users) await log("user", { id, username, permissions });
    for (const { id, name, permissions } of given.keys) await log("apikey", { id, name, permissions });
    return { changed, given };
  });
}

/** The rights stay with their holders, without effect. Returns whether anything changed. */
export async function endOperator(store: Store, account: AccountRow, now: number): Promise<boolean> {
  return await store.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const changed = await setOperator(tx, account.id, false);
    if (changed) await logAccount(tx, account, false, now);
    return changed;
  });
}

/**
 * Makes the first account that an earlier version made one of the operator, once in the life of a store: from then on the
 * operator decides.
 */
export async function adoptFirstAccount(db: Db): Promise<void> {
  const account_id = await findFirstAccount(db);
  if (account_id === undefined || !(await claimOperator(db, account_id))) return;
  await lockAccount(db, account_id);
  await setOperator(db, account_id, true);
  await giveRights(db, account_id, undefined);
}

const nobody: Given = { users: [], keys: [] };

async function giveRights(db: Db, account_id: string, named: Named | undefined): Promise<Given> {
  const choose = <T extends Row>(kind: string, rows: readonly T[], names: readonly string[] = [], nameOf: NameOf<T>) =>
    named ? names.map((name) => ownOf(`${kind} "${name}"`, rows.find(nameOf(name)))) : rows.filter(hasEveryOther);
  const allUsers = await listRows(db, "account_user", account_id);
  const users = choose(
    "user",
    allUsers,
    named?.users,
    (login) =>
      ({ username }) =>
        loginOf(username) === loginOf(login),
  );
  const keys = choose("key", await listRows(db, "api_key", account_id), named?.keys, (id) => (key) => key.id === id);
  const given = { users: users.map(withRights), keys: keys.map(withRights) };
  for (const [at, user] of given.users.entries()) await updateUser(db, user, users[at]!);
  for (const key of given.keys) await updateKey(db, key);
  return given;
}

type Row = Pick<UserRow | KeyRow, "permissions" | "teams">;
type NameOf<T> = (name: string) => (row: T) => boolean;

/** The rights of a member are those of its teams, which others are in, too. */
function ownOf<T extends Row>(what: string, row: T | undefined): T {
  if (!row) throw missing(`the account has no ${what}`);
  if (row.teams.length === 0) return row;
  throw invalid(`${what} is in a team, whose permissions apply: name a user or key in no team`);
}

const operatorRights = rightNames.filter((right) => rights[right].isOperators);
const otherRights = rightNames.filter((right) => !rights[right].isOperators);

/** Whether a user or key may do everything in its account: then it is there for the operator. */
function hasEveryOther(row: Row): boolean {
  if (row.teams.length > 0) return false;
  const access = [grantOf(permissionsOf(row))];
  return otherRights.every((right) => reachesEverything(access, right));
}

/** The same row with the operator's rights. */
const withRights = <T extends Row>(row: T): T => ({ ...row, permissions: withOperatorRights(permissionsOf(row)) });

const withOperatorRights = (permissions: Permissions): Permissions =>
  operatorRights.filter((right) => !isGranted(permissions, right)).reduce(withRight, permissions);

function withRight(permissions: Permissions, right: Right): Permissions {
  const [group, name] = rightPath(right);
  return { ...permissions, [group]: { ...permissions[group], [name]: true } };
}

const logAccount = (db: Db, { id, name }: AccountRow, operator: boolean, now: number) =>
  logCommand(db, id, "account operator", {
    log: ["account", "update"],
    resource: { id, name, operator },
    before: { id, name, operator: !operator },
    now,
  });
