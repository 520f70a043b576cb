/** A key for the operator of a store whose keys are lost. */
import { newKeyString } from "../../../lib/ids.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import type { Tx } from "../../kit/store.ts";
import { findFirstAccount } from "../members/first-store.ts";
import { type Credentials, insertFullKey } from "./accounts.ts";
import { logCommand } from "./log.ts";

/** Makes a key of the first account with every right. Returns undefined without a first account, which a start makes. */
export async function makeOperatorKey(
  tx: Tx,
  { secrets, now }: { readonly secrets: Secrets; readonly now: number },
): Promise<Omit<Credentials, "username"> | undefined> {
  const account_id = await findFirstAccount(tx);
  if (account_id === undefined) return undefined;
  const keyName = `first key after the import of ${new Date(now * 1000).toISOString()}`;
  const made = await insertFullKey(
    tx,
    account_id,
    { keyName, key: newKeyString() },
    { secrets, now, isOperator: true },
  );
  const resource = { id: made.key_id, name: keyName };
  await logCommand(tx, account_id, "store import", { log: ["apikey", "create"], resource, now });
  return { account_id, ...made };
}
