/** `fairlead store export`, `import` and `rotate`: move a store, and replace its master key. */
import { existsSync } from "node:fs";
import { version } from "../../../config/version.ts";
import { invalid } from "../../../lib/problem.ts";
import { addMasterKey, masterKeys, readMasterKeys, type Secrets, secretsFrom } from "../../../lib/secrets.ts";
import { exportStore } from "../../../storage/export/export.ts";
import { type ExportKey, printOrigin } from "../../../storage/export/header.ts";
import { assertExport, importStore } from "../../../storage/export/import.ts";
import { newSalt, readPassphrase, secretsOfPassphrase } from "../../../storage/export/passphrase.ts";
import { masterKeysOf } from "../../../storage/secrets/master-key.ts";
import { rotate } from "../../../storage/secrets/sealed.ts";
import { masterKeyFile } from "../../host/directory.ts";
import { configOfStore, onServer, quietConfig, withSecrets, withStoreAlone } from "../../host/stores.ts";

export type Options = Readonly<Record<string, string | undefined>>;
export type ExportOptions = Omit<Options, "force"> & { readonly force?: true };

export async function runExport(file: string, { force, ...options }: ExportOptions): Promise<void> {
  const config = configOfStore(options);
  if (existsSync(file) && !force) throw invalid(`${file} already exists: --force replaces it`);
  await withSecrets(config, async (_, secrets, url) => {
    const { key, fileSecrets } = sealFor(options, secrets);
    const counts = await exportStore({ url, file, version, secrets, fileSecrets, key });
    report(counts, `written to ${file} by ${printOrigin(version)}`);
  });
}

export async function runImport(file: string, options: Options): Promise<void> {
  const config = quietConfig(options);
  // throws before a directory and a store are created
  await assertExport(file, version);
  await onServer(config, false, async (url, log) => {
    const keys = masterKeys(masterKeyFile(config));
    const from = options["fromMasterKeyFile"];
    const ring = secretsFrom(from === undefined ? keys : [...keys, ...readMasterKeys(from)]);
    const fileSecrets = (key: ExportKey) => openFrom(key, options, ring);
    const { counts, origin } = await importStore({ url, file, version, secrets: secretsFrom(keys), fileSecrets, log });
    report(counts, `read from ${file}, which ${origin} wrote`);
  });
}

export async function runRotate(options: Options): Promise<void> {
  const config = configOfStore(options);
  const file = masterKeyFile(config);
  readMasterKeys(file);
  await withStoreAlone(config, async (store) => {
    // throws unless the file holds this store's master key
    await masterKeysOf(store, file);
    addMasterKey(file);
    const count = await rotate(store, secretsFrom(readMasterKeys(file)));
    print(
      `${count} API ${count === 1 ? "key is" : "keys are"} sealed with the new master key, which is the first line of ${file}.`,
    );
    print("The lines below it are needed only for older exports and backups.");
  });
}

/** The key that seals the secrets in an export: from a passphrase, another master key, or by default `own`. */
function sealFor(options: Options, own: Secrets): { key: ExportKey; fileSecrets: Secrets } {
  const { passphraseFile, forMasterKeyFile } = options;
  if (passphraseFile !== undefined && forMasterKeyFile !== undefined) {
    throw invalid("--passphrase-file and --for-master-key-file: give only one of them");
  }
  if (passphraseFile !== undefined) {
    const salt = newSalt();
    const fileSecrets = secretsOfPassphrase(readPassphrase(passphraseFile), salt);
    return { key: { kind: "passphrase", id: fileSecrets.keyId, salt }, fileSecrets };
  }
  const fileSecrets = forMasterKeyFile === undefined ? own : secretsFrom(readMasterKeys(forMasterKeyFile));
  return { key: { kind: "master_key", id: fileSecrets.keyId }, fileSecrets };
}

/** The key that opens the secrets in an export. Throws a Problem that names the missing flag. */
function openFrom(key: ExportKey, { passphraseFile }: Options, ring: Secrets): Secrets {
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

function report(counts: Readonly<Record<string, number>>, summary: string): void {
  for (const [table, rows] of Object.entries(counts)) print(`${String(rows).padStart(10)}  ${table}`);
  print(summary);
}

const print = (line: string) => process.stdout.write(`${line}\n`);
