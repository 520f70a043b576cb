/** Creates an account, its first user and its first API key at the first start with an empty store. */
import { type Clock, seconds } from "../lib/clock.ts";
import { credentialsFile, firstKey, writeCredentials } from "../lib/files/credentials.ts";
import { newId, newKeyString } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Secrets } from "../lib/secrets.ts";
import type { Store } from "../storage/db.ts";
import { findKeyByHash } from "./access/store.ts";
import { claimFirstStart, noteFirst } from "./people/members/first-store.ts";
import { insertWithKey } from "./people/operator/accounts.ts";
import { adoptFirstAccount } from "./people/operator/operator.ts";
import { unlimited } from "./write/quota/quota.ts";
import { hasZones } from "./zones/model/zone/store.ts";

interface FirstStart {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly directory: string;
  /** The first key's string; generated when undefined. */
  readonly apiKey: string | undefined;
  readonly log: Log;
}

/** Leaves a store with an account unchanged. */
export async function bootstrap(options: FirstStart): Promise<void> {
  const { store, secrets, apiKey, log } = options;
  if (await makeFirst(options)) return;
  // an earlier version may have made the first account
  await store.transaction((tx) => adoptFirstAccount(tx));
  if (apiKey === undefined || (await findKeyByHash(store.db, secrets.hash(apiKey)))) return;
  log.warn(
    "--api-key applies only to the first start with an empty store: this store already has keys, and the given one is not among them",
  );
}

/** Returns whether this start was the first. */
async function makeFirst({ store, secrets, clock, directory, apiKey }: FirstStart): Promise<boolean> {
  const now = seconds(clock);
  return await store.transaction(async (tx) => {
    const account_id = newId();
    if (!(await claimFirstStart(tx, account_id))) return false;
    const names = { name: "first", username: "admin", user: "Administrator", keyName: "first key" };
    const account = { ...names, email: "", key: apiKey ?? newKeyString() };
    const first = { id: account_id, user_id: newId(), quota: unlimited, isOperator: true };
    const credentials = await insertWithKey(tx, account, { secrets, now, ...first });
    await noteFirst(tx, account_id, first.user_id);
    // before the commit: if the key could not be written after it, the operator would be locked out
    writeCredentials(credentialsFile(directory), credentials);
    return true;
  });
}

/** The state that decides which first steps are shown at the terminal. */
export interface FirstSteps {
  /** Whether the key of the first start is still in its file and still works. */
  readonly hasKey: boolean;
  readonly hasZones: boolean;
}

export async function firstSteps({ store, secrets, directory }: Omit<FirstStart, "clock" | "apiKey" | "log">) {
  const key = firstKey(directory);
  const known = key === undefined ? undefined : await findKeyByHash(store.db, secrets.hash(key));
  return { hasKey: known !== undefined, hasZones: await hasZones(store.db) } satisfies FirstSteps;
}
