/** `fairlead store import`: reads an exported file into a new store. */
import { existsSync } from "node:fs";
import { version } from "../../../config/version.ts";
import { makeOperatorKey } from "../../../control/people/operator/new-key.ts";
import { seconds, systemClock } from "../../../lib/clock.ts";
import { credentialsFile, writeCredentials } from "../../../lib/files/credentials.ts";
import { invalid } from "../../../lib/problem.ts";
import {
  assertPlaceOf,
  makeMasterKeys,
  newMasterKey,
  readMasterKeys,
  type Secrets,
  secretsFrom,
} from "../../../lib/secrets.ts";
import { assertExport } from "../../../storage/export/file.ts";
import type { ExportKey } from "../../../storage/export/header.ts";
import { importStore } from "../../../storage/export/import.ts";
import type { Lost } from "../../../storage/export/lost.ts";
import { readPassphrase, secretsOfPassphrase } from "../../../storage/export/passphrase.ts";
import { masterKeyFile } from "../../host/directory.ts";
import { withNewStore } from "../../host/new-store.ts";
import { type Options, quietConfig } from "../../host/stores.ts";
import { report } from "./report.ts";

export type ImportOptions = Options & { readonly passphraseFile?: string; readonly fromMasterKeyFile?: string };

export async function runImport(file: string, options: ImportOptions): Promise<void> {
  const { passphraseFile, fromMasterKeyFile, ...rest } = options;
  const config = quietConfig(rest);
  // throws before a directory and a store are created
  await assertExport(file, version);
  await withNewStore(config, async (url, log) => {
    const keyFile = masterKeyFile(config);
    const isNew = !existsSync(keyFile);
    if (isNew) assertPlaceOf(keyFile);
    const keys = isNew ? [newMasterKey()] : readMasterKeys(keyFile);
    const secrets = secretsFrom(keys);
    const ring = secretsFrom(fromMasterKeyFile === undefined ? keys : [...keys, ...readMasterKeys(fromMasterKeyFile)]);
    const credentials = credentialsFile(config.data);
    let hasSecrets = true;
    const { counts, origin, lost } = await importStore({
      ...{ url, file, version, log, secrets },
      fileSecrets(key) {
        if (key.kind !== "none") return openFrom(key, options, ring);
        hasSecrets = false;
        if (existsSync(credentials)) throw invalid(`${credentials} has the key of another store: move it away`);
        return undefined;
      },
      // what is needed to use the store is on disk before the commit
      async beforeCommit(tx) {
        if (isNew) makeMasterKeys(keyFile, keys);
        if (hasSecrets) return;
        const made = await makeOperatorKey(tx, { secrets, now: seconds(systemClock) });
        if (made) writeCredentials(credentials, made);
      },
    });
    const origins = `read from ${file}, which ${origin} wrote`;
    report(counts, hasSecrets ? [origins] : [...lost.map(printLost), origins, ...stepsAfter(lost, credentials)]);
  });
}

const printLost = ({ account, account_id, kind, name, expires }: Lost): string =>
  JSON.stringify({ account, account_id, [kind]: name, ...(expires ? { expires } : {}) });

/** The steps that are left after an import without secrets. */
function stepsAfter(lost: readonly Lost[], credentials: string): string[] {
  const has = (...kinds: readonly Lost["kind"][]) => lost.some(({ kind }) => kinds.includes(kind));
  const isExpiring = lost.some(({ expires }) => expires);
  const steps: readonly (readonly [isNeeded: boolean, text: string])[] = [
    [existsSync(credentials), `A key of the first account with every right is in ${credentials}.`],
    [has("api_key"), "API keys have new strings: GET /v1/account/apikeys shows them to their account."],
    [isExpiring, "API keys that expire need a new secret: POST /v1/account/apikeys/ID/secrets."],
    [
      has("tsig_key", "zone", "deleted_zone"),
      "TSIG keys and keys of secondary zones have new secrets: set the earlier ones again, or give the new ones to the " +
        "other servers. Transfers with these keys fail until then.",
    ],
    [
      has("user"),
      "Users with a second factor sign in with a recovery code, or after `fairlead user reset-2fa USERNAME`.",
    ],
  ];
  return steps.filter(([isNeeded]) => isNeeded).map(([, text]) => text);
}

/** The key that opens the secrets in an export. Throws a Problem that names the missing flag. */
function openFrom(
  key: Exclude<ExportKey, { kind: "none" }>,
  { passphraseFile }: ImportOptions,
  ring: Secrets,
): Secrets {
  if (key.kind === "master_key") {
    if (ring.has(key.id)) return ring;
    throw invalid(
      `the file's secrets are sealed with master key ${key.id}: name the file of that key with --from-master-key-file`,
    );
  }
  if (passphraseFile === undefined) throw invalid("the file was written with a passphrase: give --passphrase-file");
  const fileSecrets = secretsOfPassphrase(readPassphrase(passphraseFile), key.salt);
  if (fileSecrets.keyId !== key.id) throw invalid("--passphrase-file: the export was written with another passphrase");
  return fileSecrets;
}
