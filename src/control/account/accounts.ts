/** Accounts as their operator makes and suspends them: a suspended one's keys and users are refused, its zones are still answered. */
import { setTimeout as delay } from "node:timers/promises";
import { mailAddress } from "../../lib/email.ts";
import { newId, newKeyString } from "../../lib/ids.ts";
import { conflict, invalid, missing } from "../../lib/problem.ts";
import type { Secrets } from "../../lib/secrets.ts";
import { insertChanges, newChange } from "../../storage/changes.ts";
import type { Store } from "../../storage/db.ts";
import { zoneState } from "../../sync/state.ts";
import { assertActive } from "../access/admission.ts";
import { activityEntry } from "../activity/entry.ts";
import { insertEntry } from "../activity/store.ts";
import type { Db, Tx } from "../store.ts";
import { lockAccount } from "../store.ts";
import {
  type AccountRow,
  findAccounts,
  isLoginTaken,
  isSuspended,
  listAccounts,
  setSuspended,
  withholdSome,
} from "./accounts-store.ts";
import { secretContext } from "./key.ts";
import { isUsername, loginOf } from "./login.ts";
import { insertAccount, insertKey } from "./store.ts";
import { blankUser, insertUser } from "./user-store.ts";

export interface NewAccount {
  readonly name: string;
  readonly plan: string;
  /** The login name of its first user. */
  readonly username: string;
  readonly email: string;
  /** What the user is called. */
  readonly user: string;
  readonly keyName: string;
  /** The first key's string. */
  readonly key: string;
}

/** What somebody needs to begin with an account. */
export interface Credentials {
  readonly account_id: string;
  readonly username: string;
  readonly key_id: string;
  readonly key: string;
}

/** An account with its first user and its first key, who both have every right. */
export async function insertWithKey(
  tx: Tx,
  account: NewAccount,
  { secrets, id: account_id = newId(), now }: { secrets: Secrets; id?: string; now: number },
): Promise<Credentials> {
  const { name, plan, username, email, user, keyName, key } = account;
  const key_id = newId();
  const made = { account_id, created: now, last_access: null };
  // every right, also the one that must be named
  const permissions = { account: { manage_auth_keys: true } };
  await insertAccount(tx, { id: account_id, name, plan, dnssec: false, created: now });
  await insertUser(tx, { ...blankUser, ...made, id: newId(), username, email, name: user, permissions });
  const secret = secrets.seal(key, secretContext(key_id));
  const lists = { expiry_days: null, ip_whitelist: [], ip_whitelist_strict: false, teams: [] };
  await insertKey(tx, { ...made, id: key_id, name: keyName, secret, permissions, ...lists }, secrets.hash(key));
  return { account_id, username, key_id, key };
}

export type AccountWish = Pick<NewAccount, "name" | "plan" | "username" | "email">;

/** `keep` is called before the commit: a key that nobody knows would be of no use. */
export async function createAccount(
  store: Store,
  secrets: Secrets,
  wish: AccountWish,
  now: number,
  keep: (credentials: Credentials) => Promise<void>,
): Promise<Credentials> {
  assertWish(wish);
  return await store.transaction(async (tx) => {
    const { name, username } = wish;
    if ((await findAccounts(tx, name)).length > 0) throw conflict(`there is an account "${name}" already`, { name });
    if (await isLoginTaken(tx, loginOf(username))) {
      throw conflict(`the username "${username}" is taken: name another one with --username`, { username });
    }
    const account = { ...wish, user: "Administrator", keyName: "first key", key: newKeyString() };
    const credentials = await insertWithKey(tx, account, { secrets, now });
    await logAct(tx, { id: credentials.account_id, name, plan: wish.plan }, "create", now);
    await keep(credentials);
    return credentials;
  });
}

function assertWish({ name, plan, username, email }: AccountWish): void {
  const { length } = [...name];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names are printed on terminals
  if (length < 1 || length > 255 || /[\u0000-\u001f\u007f-\u009f]/.test(name) || name !== name.trim()) {
    throw invalid("the name of an account has 1 to 255 characters, none of them a control character");
  }
  if (!/^[a-z0-9_-]{1,64}$/.test(plan)) throw invalid(`--plan: "${plan}" is not 1 to 64 of a-z, 0-9, _ and -`);
  if (!isUsername(username)) {
    throw invalid(`"${username}" cannot be a username, which is 3 to 64 of A-Z, a-z, 0-9 and ._@+-: give --username`);
  }
  if (email !== "" && mailAddress(email) === undefined) throw invalid(`--email: "${email}" is not an e-mail address`);
}

/** The one account of this id or name; of the name in other letter case, when there is none that has it so. */
export async function getAccount(db: Db, called: string): Promise<AccountRow> {
  const exact = await findAccounts(db, called);
  const found = exact.length > 0 ? exact : (await listAccounts(db)).filter(({ name }) => isAlike(name, called));
  const [account] = found;
  if (!account) throw missing(`there is no account "${called}"`);
  if (found.length === 1) return account;
  const names = found.map(({ id, name }) => `${id} (${name})`).join(", ");
  throw invalid(`several accounts are called "${called}": give the id, one of ${names}`);
}

const isAlike = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** False when nothing was to be done. `stopAnswering` also keeps its zones from being answered. */
export async function suspendAccount(
  store: Store,
  account: AccountRow,
  { stopAnswering, now }: { stopAnswering: boolean; now: number },
): Promise<boolean> {
  const begun = await turn(store, account, now, "suspend");
  if (!stopAnswering) return begun;
  // until then a process may know its keys as they were, and make zones for them
  if (begun) await delay(knownFor);
  const withheld = await withhold(store, account, true, now);
  return begun || withheld > 0;
}

/** Zones that were kept from being answered are answered before any key works. False when nothing was to be done. */
export async function resumeAccount(store: Store, account: AccountRow, now: number): Promise<boolean> {
  const given = await withhold(store, account, false, now);
  return (await turn(store, account, now, "resume")) || given > 0;
}

async function turn(store: Store, { id }: AccountRow, now: number, action: "suspend" | "resume"): Promise<boolean> {
  return await store.transaction(async (tx) => {
    await lockAccount(tx, id);
    const account = await getAccount(tx, id);
    const suspended_at = action === "suspend" ? now : null;
    if ((account.suspended_at === null) === (suspended_at === null)) return false;
    await setSuspended(tx, id, suspended_at);
    await logAct(tx, { ...account, suspended_at }, action, now);
    return true;
  });
}

/** Milliseconds. */
const knownFor = 1000;
const zonesAtOnce = 200;
const patience = 60_000;

/** In small transactions; how many zones there were. Their serials stay: what is in them has not changed. */
async function withhold(store: Store, { id: account_id }: AccountRow, withheld: boolean, now: number): Promise<number> {
  const some = async (tx: Tx) => {
    const rows = await withholdSome(tx, account_id, withheld, zonesAtOnce);
    const zone_ids = rows.map(({ id }) => id);
    const changes = rows.map((row) => ({ kind: "zone" as const, zone: zoneState(row) }));
    const given = Object.fromEntries(zone_ids.map((id) => [id, null]));
    if (rows.length > 0) insertChanges(tx, [newChange({ account_id, zone_ids, changes, history: [], now, given })]);
    return rows.length;
  };
  for (let count = 0; ; ) {
    const done = await store.transaction(some, { within: patience });
    count += done;
    if (done < zonesAtOnce) return count;
  }
}

type Described = Pick<AccountRow, "id" | "name" | "plan"> & Partial<AccountRow>;

async function logAct(db: Db, account: Described, action: string, now: number): Promise<void> {
  const name = `fairlead account ${action}`;
  const caller = { account_id: account.id, kind: "system" as const, id: "account", name };
  await insertEntry(db, activityEntry({ caller, address: "", log: ["account", action], resource: account, now }));
}

/** For what began before the account was suspended. */
export const assertStillActive = async (db: Db, account_id: string) => assertActive(await isSuspended(db, account_id));
