/** `fairlead store import`: reads an exported file into a new store. */
import { existsSync } from "node:fs";
import { version } from "../../../config/version.ts";
import { invalid } from "../../../lib/problem.ts";
import {
  assertPlaceOf,
  makeMasterKeys,
  newMasterKey,
  readMasterKeys,
  type Secrets,
  secretsFrom,
} from "../../../lib/secrets.ts";
import type { ExportKey } from "../../../storage/export/header.ts";
import { assertExport, importStore } from "../../../storage/export/import.ts";
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
    const ring = secretsFrom(fromMasterKeyFile === undefined ? keys : [...keys, ...readMasterKeys(fromMasterKeyFile)]);
    const { counts, origin } = await importStore({
      ...{ url, file, version, log, secrets: secretsFrom(keys) },
      fileSecrets: (key) => openFrom(key, options, ring),
      async beforeCommit() {
        // a commit without the key on disk would leave a store that nobody can open
        if (isNew) makeMasterKeys(keyFile, keys);
      },
    });
    report(counts, `read from ${file}, which ${origin} wrote`);
  });
}

/** The key that opens the secrets in an export. Throws a Problem that names the missing flag. */
function openFrom(key: ExportKey, { passphraseFile }: ImportOptions, ring: Secrets): Secrets {
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
