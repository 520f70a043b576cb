/** `fairlead store export`: writes everything in the store to a file. */
import { existsSync } from "node:fs";
import { version } from "../../../config/version.ts";
import { invalid } from "../../../lib/problem.ts";
import { readMasterKeys, type Secrets, secretsFrom } from "../../../lib/secrets.ts";
import { exportStore } from "../../../storage/export/export.ts";
import { type ExportKey, printOrigin } from "../../../storage/export/header.ts";
import { newSalt, readPassphrase, secretsOfPassphrase } from "../../../storage/export/passphrase.ts";
import { configOfStore, type Options, withSecrets } from "../../host/stores.ts";
import { report } from "./report.ts";

export type ExportOptions = Options & {
  readonly passphraseFile?: string;
  readonly forMasterKeyFile?: string;
  readonly force?: true;
};

export async function runExport(file: string, { force, ...options }: ExportOptions): Promise<void> {
  const { passphraseFile, forMasterKeyFile, ...rest } = options;
  const config = configOfStore(rest);
  if (existsSync(file) && !force) throw invalid(`${file} already exists: --force replaces it`);
  await withSecrets(config, async (_, secrets, url) => {
    const { key, fileSecrets } = sealFor(options, secrets);
    const counts = await exportStore({ url, file, version, secrets, fileSecrets, key });
    report(counts, `written to ${file} by ${printOrigin(version)}`);
  });
}

/** The key that seals the secrets in an export: from a passphrase, another master key, or by default `own`. */
function sealFor(options: ExportOptions, own: Secrets): { key: ExportKey; fileSecrets: Secrets } {
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
