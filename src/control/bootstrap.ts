/** The first start with an empty store: an account, its first user, and its first API key. */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, seconds } from "../lib/clock.ts";
import { newId, newKeyString } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Secrets } from "../lib/secrets.ts";
import type { Store } from "../storage/db.ts";
import { findKeyByHash } from "./access/store.ts";
import { secretContext } from "./account/key.ts";
import { claimFirstStart, insertAccount, insertKey, insertUser } from "./account/store.ts";

/** Where the first key is kept for the operator. */
export const credentialsFile = (directory: string) => join(directory, "credentials.json");

interface FirstStart {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly directory: string;
  /** The first key's string; generated when undefined. */
  readonly apiKey: string | undefined;
  readonly log: Log;
}

/** A store that has an account is left as it is. */
export async function bootstrap(options: FirstStart): Promise<void> {
  const { store, secrets, apiKey, log } = options;
  if (await makeFirst(options)) return;
  if (apiKey === undefined || (await findKeyByHash(store.db, secrets.hash(apiKey)))) return;
  log.warn(
    "--api-key is for the first start with an empty store: this one has keys already, and the given one is not among them",
  );
}

/** Whether this start was the first. */
async function makeFirst({ store, secrets, clock, directory, apiKey }: FirstStart): Promise<boolean> {
  const created = seconds(clock);
  return await store.transaction(async (tx) => {
    const account_id = newId();
    if (!(await claimFirstStart(tx, account_id))) return false;
    const key = apiKey ?? newKeyString();
    const key_id = newId();
    const username = "admin";
    // every right, also the one that must be named
    const permissions = { account: { manage_auth_keys: true } };
    await insertAccount(tx, { id: account_id, name: "first", plan: "enterprise", dnssec: false, created });
    await insertUser(tx, {
      account_id,
      id: newId(),
      username,
      email: "",
      name: "Administrator",
      permissions,
      created,
      last_access: null,
    });
    await insertKey(
      tx,
      {
        account_id,
        id: key_id,
        name: "first key",
        secret: secrets.seal(key, secretContext(key_id)),
        permissions,
        ip_whitelist: [],
        ip_whitelist_strict: false,
        teams: [],
        created,
        last_access: null,
      },
      secrets.hash(key),
    );
    // before the commit: a key that nobody knows would lock the operator out
    await writePrivately(credentialsFile(directory), { account_id, username, key_id, key });
    return true;
  });
}

async function writePrivately(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
