/** Finds the store's master key, with which its secrets are sealed, in the key file. */
import { existsSync } from "node:fs";
import { invalid } from "../../lib/problem.ts";
import { masterKeyId, masterKeys, readMasterKeys, sealedBy } from "../../lib/secrets.ts";
import type { Store } from "../db.ts";
import { across } from "../fence/exceptions.ts";

/**
 * Returns the master keys of a file, the store's own first. A store without secrets uses the newest key of the file,
 * and a missing file is created; for any other store a new key would be useless. Throws a Problem that names the file
 * and the id of the missing key.
 */
export async function masterKeysOf(store: Pick<Store, "db">, file: string): Promise<Uint8Array[]> {
  const needed = await sealingKey(store);
  if (needed === undefined) return masterKeys(file);
  const keys = existsSync(file) ? readMasterKeys(file) : [];
  const own = keys.find((key) => masterKeyId(key) === needed);
  if (own) return [own, ...keys.filter((key) => key !== own)];
  const found = existsSync(file) ? `it contains ${keys.map(masterKeyId).join(", ")}` : "the file does not exist";
  throw invalid(
    `master key file ${file}: ${found}, but the secrets of this store are sealed with master key ${needed}. ` +
      "Put the file with that key there, or name it with --master-key-file; without it no API key works. If it is lost, " +
      "`fairlead store export --without-secrets` saves everything else",
    { key: "--master-key-file", needed },
  );
}

/** Returns the id of the master key that seals all API keys; rotation changes it for all in one transaction. */
async function sealingKey({ db }: Pick<Store, "db">): Promise<string | undefined> {
  const row = await db
    .selectFrom("api_key")
    .select("secret")
    .where("secret", "is not", null)
    .orderBy("account_id")
    .orderBy("id")
    .limit(1)
    .modifyEnd(across("operator"))
    .executeTakeFirst();
  return row?.secret ? sealedBy(row.secret) : undefined;
}
