/** The master key that belongs to a store: the one that its secrets are sealed with, looked for in the key file. */
import { existsSync } from "node:fs";
import { invalid } from "../../lib/problem.ts";
import { masterKeyId, masterKeys, readMasterKeys, sealedBy } from "../../lib/secrets.ts";
import type { Store } from "../db.ts";
import { across } from "../fence/across.ts";

/**
 * The master keys of a file, the store's own first. A store without secrets takes the newest key of the file, and the
 * file is made when it is not there; for any other store a new key would open nothing. Throws a Problem that names the
 * file and the id of the key that is needed.
 */
export async function masterKeysOf(store: Pick<Store, "db">, file: string): Promise<Uint8Array[]> {
  const needed = await sealingKey(store);
  if (needed === undefined) return masterKeys(file);
  const keys = existsSync(file) ? readMasterKeys(file) : [];
  const own = keys.find((key) => masterKeyId(key) === needed);
  if (own) return [own, ...keys.filter((key) => key !== own)];
  const there = existsSync(file) ? `it holds ${keys.map(masterKeyId).join(", ")}` : "there is no such file";
  throw invalid(
    `master key file ${file}: ${there}, but the secrets of this store are sealed with master key ${needed}. ` +
      "Put the file that holds that key there, or name it with --master-key-file; without it no API key works",
    { key: "--master-key-file", needed },
  );
}

/** All API keys are sealed with the same master key: it is changed for all of them in one transaction. */
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
