/** `fairlead store export`: writes everything in the store to a file. */
import { existsSync } from "node:fs";
import { version } from "../../../config/version.ts";
import { isThere } from "../../../lib/files.ts";
import { invalid } from "../../../lib/problem.ts";
import { readMasterKeys, type Secrets, secretsFrom } from "../../../lib/secrets.ts";
import { exportStore } from "../../../storage/export/export.ts";
import { printOrigin } from "../../../storage/export/header.ts";
import { newSalt, readPassphrase, secretsOfPassphrase } from "../../../storage/export/passphrase.ts";
import { masterKeyFile } from "../../host/directory.ts";
import { configOfStore, type Options, withSecrets, withStore } from "../../host/stores.ts";
import { report } from "./report.ts";

export type ExportOptions = Options & {
  readonly passphraseFile?: string;
  readonly forMasterKeyFile?: string;
  readonly withoutSecrets?: true;
  readonly force?: true;
};

/** Where the secrets of the store go in the file. */
type Sealing = Pick<Parameters<typeof exportStore>[0], "key" | "secrets">;

export async function runExport(file: string, options: ExportOptions): Promise<void> {
  const { force, passphraseFile, forMasterKeyFile, withoutSecrets, ...rest } = options;
  const given = Object.entries({ passphraseFile, forMasterKeyFile, withoutSecrets }).filter(([, value]) => value);
  if (given.length > 1) {
    throw invalid("--passphrase-file, --for-master-key-file and --without-secrets: give only one of them");
  }
  const config = configOfStore(rest);
  if (existsSync(file) && !force) throw invalid(`${file} already exists: --force replaces it`);
  const write = async (url: string, sealing: Sealing) => {
    const { counts, leftOut } = await exportStore({ url, file, version, ...sealing });
    report(counts, [...summaryOf(leftOut), `written to ${file} by ${printOrigin(version)}`]);
  };
  if (withoutSecrets) {
    await withStore(config, (_, url) => write(url, { key: { kind: "none" }, secrets: undefined }));
    return;
  }
  const keyFile = masterKeyFile(config);
  if (!isThere(keyFile)) {
    throw invalid(`master key file ${keyFile}: the file does not exist. If it is lost, say --without-secrets`);
  }
  await withSecrets(config, (_, secrets, url) => write(url, sealFor(options, secrets)));
}

/** The key that seals the secrets in an export: from a passphrase, another master key, or by default `own`. */
function sealFor({ passphraseFile, forMasterKeyFile }: ExportOptions, own: Secrets): Sealing {
  if (passphraseFile !== undefined) {
    const salt = newSalt();
    const secrets = secretsOfPassphrase(readPassphrase(passphraseFile), salt);
    return { key: { kind: "passphrase", id: secrets.keyId, salt }, secrets: { store: own, file: secrets } };
  }
  const secrets = forMasterKeyFile === undefined ? own : secretsFrom(readMasterKeys(forMasterKeyFile));
  return { key: { kind: "master_key", id: secrets.keyId }, secrets: { store: own, file: secrets } };
}

const summaryOf = (leftOut: Readonly<Record<string, number>>): string[] => {
  const tables = Object.entries(leftOut).map(([table, secrets]) => `${secrets} of ${table}`);
  if (tables.length === 0) return [];
  return [`secrets left out: ${tables.join(", ")}; the import names what has to be set anew`];
};
