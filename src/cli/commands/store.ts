/** `fairlead store export`, `import`, `rotate` and `clear-whitelist`: what they are called and what they take. */
import { Command } from "commander";
import { addOptions, storeKeys } from "../../config/config.ts";
import type { ExportOptions, Options } from "./store-moves.ts";
import type { ClearOptions } from "./store-rescue.ts";

export function storeCommand(): Command {
  const store = new Command("store").description("move a store, change the key that seals its secrets, or get back in");
  addOptions(store.command("export <file>"), storeKeys)
    .description("write everything in the store to a file; the service may be running")
    .option("--passphrase-file <FILE>", "seal the secrets in the file with the passphrase on the first line of FILE")
    .option("--for-master-key-file <FILE>", "seal them with the master key of the installation that will import them")
    .option("--force", "replace a file that is there")
    .action(async (file: string, options: ExportOptions) => (await moves()).runExport(file, options));
  addOptions(store.command("import <file>"), storeKeys)
    .description("read an exported file into an empty store; the service must not be running")
    .option("--passphrase-file <FILE>", "the passphrase that the file was written with")
    .option("--from-master-key-file <FILE>", "the master key of the installation that the file comes from")
    .action(async (file: string, options: Options) => (await moves()).runImport(file, options));
  addOptions(store.command("rotate"), storeKeys)
    .description("make a new master key and seal every secret with it; the service must not be running")
    .action(async (options: Options) => (await moves()).runRotate(options));
  addOptions(store.command("clear-whitelist"), storeKeys)
    .description(
      "take all values out of the allow lists of accounts and teams, which lock you out; the service may be running",
    )
    .option("--account <ACCOUNT>", "of the account of this id or name alone")
    .option("--strict", "let all its keys and users go of strict lists of their own, too; needs --account")
    .option("--key <ID>", "let this key go of its strict list, and leave everything else; may be given again", listed)
    .option("--user <LOGIN>", "let this user go of it, and leave everything else; may be given again", listed)
    .action(async (options: ClearOptions) => (await rescue()).runClearWhitelist(options));
  return store;
}

const listed = (value: string, before: readonly string[] = []) => [...before, value];

const moves = () => import("./store-moves.ts");
const rescue = () => import("./store-rescue.ts");
