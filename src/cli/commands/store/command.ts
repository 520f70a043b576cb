/** `fairlead store export`, `import`, `check`, `rotate` and `clear-allow-lists`: names, arguments and options. */
import { Command } from "commander";
import { addOptions, storeKeys } from "../../../config/config.ts";
import type { Options } from "../../host/stores.ts";
import type { CheckOptions } from "./check/check.ts";
import type { ExportOptions } from "./export.ts";
import type { ImportOptions } from "./import.ts";
import type { ClearOptions } from "./rescue.ts";

export function storeCommand(): Command {
  const store = new Command("store").description(
    "move or check a store, replace its master key, or lift a lockout caused by allow lists",
  );
  addOptions(store.command("export <file>"), storeKeys)
    .description("write everything in the store to a file; the service may be running")
    .option("--passphrase-file <FILE>", "seal the secrets in the file with the passphrase on the first line of FILE")
    .option(
      "--for-master-key-file <FILE>",
      "seal the secrets with the master key of the installation that will import the file",
    )
    .option("--without-secrets", "leave out all that only the master key opens, which may be lost")
    .option("--force", "replace an existing file")
    .action(async (file: string, options: ExportOptions) => (await import("./export.ts")).runExport(file, options));
  addOptions(store.command("import <file>"), storeKeys)
    .description("read an exported file into a new data directory or an empty database")
    .option("--passphrase-file <FILE>", "the passphrase that the file was written with")
    .option("--from-master-key-file <FILE>", "the master key of the installation that the file comes from")
    .action(async (file: string, options: ImportOptions) => (await import("./import.ts")).runImport(file, options));
  addOptions(store.command("check"), storeKeys)
    .description("compare the store with itself and with the edges; the service may be running")
    .option("--json", "print JSON")
    .action(async (options: CheckOptions) => (await import("./check/check.ts")).runCheck(options));
  addOptions(store.command("rotate"), storeKeys)
    .description("create a new master key and seal every secret with it; the service must not be running")
    .action(async (options: Options) => (await import("./rotate.ts")).runRotate(options));
  addOptions(store.command("clear-allow-lists"), storeKeys)
    .description("empty the allow lists of accounts and teams, when they lock you out; the service may be running")
    .option("--account <ACCOUNT>", "only for the account with this id or name")
    .option(
      "--strict",
      "also stop enforcing the strict allow lists of the account's keys and users; requires --account",
    )
    .option(
      "--key <ID>",
      "only stop enforcing the strict allow list of this key; may be repeated; requires --account",
      listed,
    )
    .option(
      "--user <LOGIN>",
      "only stop enforcing the strict allow list of this user; may be repeated; requires --account",
      listed,
    )
    .action(async (options: ClearOptions) => (await import("./rescue.ts")).runClearAllowLists(options));
  return store;
}

const listed = (value: string, before: readonly string[] = []) => [...before, value];
