/** Creating accounts and finding them by name, for the operator. */

import { newId, newKeyString } from "../../../lib/ids.ts";
import { conflict, invalid, missing } from "../../../lib/problem.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import { mailAddress } from "../../../lib/text/email.ts";
import type { Store } from "../../../storage/db.ts";
import type { AccountQuota } from "../../../storage/tables/accounts.ts";
import type { Db, Tx } from "../../kit/store.ts";
import { usualQuota } from "../../write/quota/quota.ts";
import { findQuota, setQuota } from "../../write/quota/store.ts";
import { secretContext } from "../keys/write.ts";
import { insertAccount, insertKey } from "../members/key-store.ts";
import { isUsername, loginOf } from "../members/login.ts";
import { blankUser, insertUser } from "../members/user-store.ts";
import { type AccountRow, findAccounts, isLoginTaken, listAccounts } from "./accounts-store.ts";
import { logCommand } from "./log.ts";

export interface NewAccount {
  readonly name: string;
  /** The login name of its first user. */
  readonly username: string;
  readonly email: string;
  /** The first user's display name. */
  readonly user: string;
  readonly keyName: string;
  /** The first key's string. */
  readonly key: string;
}

/** The credentials of a new account. */
export interface Credentials {
  readonly account_id: string;
  readonly username: string;
  readonly key_id: string;
  readonly key: string;
}

export interface NewAccountOptions {
  readonly secrets: Secrets;
  readonly id?: string;
  readonly user_id?: string;
  readonly now: number;
  readonly quota?: AccountQuota | null;
  /** Whether the account is one of the operator, whose rights user and key then have as well. */
  readonly isOperator?: boolean;
}

/** Inserts an account with its first user and its first key, both of which have every right of an account. */
export async function insertWithKey(
  tx: Tx,
  account: NewAccount,
  { secrets, id: account_id = newId(), user_id = newId(), now, quota = null, isOperator = false }: NewAccountOptions,
): Promise<Credentials> {
  const { name, username, email, user } = account;
  const made = { account_id, created: now, last_access: null };
  await insertAccount(tx, {
    id: account_id,
    name,
    dnssec: false,
    created: now,
    quota: quota && JSON.stringify(quota),
    operator: isOperator,
  });
  const permissions = everyRight(isOperator);
  await insertUser(tx, { ...blankUser, ...made, id: user_id, username, email, name: user, permissions });
  return { account_id, username, ...(await insertFullKey(tx, account_id, account, { secrets, now, isOperator })) };
}

// manage_auth_keys is the one right of an account that an omission does not grant
const everyRight = (isOperator: boolean) => ({
  account: { manage_auth_keys: true },
  ...(isOperator ? { operator: { view: true, manage: true } } : {}),
});

/** Inserts a key with every right of an account. */
export async function insertFullKey(
  tx: Tx,
  account_id: string,
  { keyName: name, key }: Pick<NewAccount, "keyName" | "key">,
  { secrets, now, isOperator = false }: Pick<NewAccountOptions, "secrets" | "now" | "isOperator">,
): Promise<Pick<Credentials, "key_id" | "key">> {
  const key_id = newId();
  const permissions = everyRight(isOperator);
  const made = { account_id, id: key_id, name, permissions, created: now, last_access: null };
  const secret = secrets.seal(key, secretContext(key_id));
  const lists = { expiry_days: null, deletion_guard: null, ip_whitelist: [], ip_whitelist_strict: false, teams: [] };
  await insertKey(tx, { ...made, secret, ...lists }, secrets.hash(key));
  return { key_id, key };
}

export type AccountRequest = Pick<NewAccount, "name" | "username" | "email">;

/** Calls `keep` before the commit, since the credentials could not be recovered afterwards. */
export async function createAccount(
  store: Store,
  secrets: Secrets,
  wish: AccountRequest,
  now: number,
  keep: (credentials: Credentials) => Promise<void>,
): Promise<Credentials> {
  assertRequest(wish);
  return await store.transaction(async (tx) => {
    const { name, username } = wish;
    if ((await findAccounts(tx, name)).length > 0) throw conflict(`there is an account "${name}" already`, { name });
    if (await isLoginTaken(tx, loginOf(username))) {
      throw conflict(`the username "${username}" is in use: choose another one with --username`, { username });
    }
    const account = { ...wish, user: "Administrator", keyName: "first key", key: newKeyString() };
    const credentials = await insertWithKey(tx, account, { secrets, now });
    await logChange(tx, { id: credentials.account_id, name }, "create", now);
    await keep(credentials);
    return credentials;
  });
}

function assertRequest({ name, username, email }: AccountRequest): void {
  const { length } = [...name];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names are printed on terminals
  if (length < 1 || length > 255 || /[\u0000-\u001f\u007f-\u009f]/.test(name) || name !== name.trim()) {
    throw invalid("the name of an account must have 1 to 255 characters, without control characters or outer spaces");
  }
  if (!isUsername(username)) {
    throw invalid(
      `"${username}" is not a valid username (3 to 64 characters of A-Z, a-z, 0-9 and ._@+-): set --username`,
    );
  }
  if (email !== "" && mailAddress(email) === undefined) throw invalid(`--email: "${email}" is not an e-mail address`);
}

/** The one account with this id or name. The case of the name matters only if an account has exactly this name. */
export async function getAccount(db: Db, called: string): Promise<AccountRow> {
  const exact = await findAccounts(db, called);
  const found = exact.length > 0 ? exact : (await listAccounts(db)).filter(({ name }) => isAlike(name, called));
  const [account] = found;
  if (!account) throw missing(`there is no account "${called}"`);
  if (found.length === 1) return account;
  const names = found.map(({ id, name }) => `${id} (${name})`).join(", ");
  throw invalid(`several accounts have the name "${called}": use the id, one of ${names}`);
}

/** Changes some limits of an account, and returns all of them. A running service reads them within a minute. */
export async function limitAccount(
  store: Store,
  account: AccountRow,
  change: Partial<AccountQuota>,
  now: number,
): Promise<Required<AccountQuota>> {
  return await store.transaction(async (tx) => {
    const quota = { ...usualQuota, ...(await findQuota(tx, account.id)), ...change };
    if (Object.keys(change).length === 0) return quota;
    await setQuota(tx, account.id, quota);
    await logChange(tx, { id: account.id, name: account.name }, "limit", now);
    return quota;
  });
}

const isAlike = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

type Described = Pick<AccountRow, "id" | "name"> & Partial<AccountRow>;

/** Logs that the operator changed an account. */
export const logChange = (db: Db, account: Described, action: string, now: number): Promise<void> =>
  logCommand(db, account.id, `account ${action}`, { log: ["account", action], resource: account, now });
