/** `fairlead key create`: its arguments and options. */
import { Command, Option } from "commander";
import { addOptions, readConfig } from "../../../config/config.ts";
import { apiConfig } from "../../host/api.ts";
import type { Options } from "../../host/stores.ts";
import type { CreateOptions } from "./create.ts";

export function keyCommand(): Command {
  const key = new Command("key").description("create API keys with few rights, through the running service");
  addOptions(key.command("create"), apiConfig)
    .description("create a key and print its string; it may do what the preset says, and nothing else")
    .argument("<name>", "the key's name, 2 to 64 characters")
    .addOption(
      new Option(
        "--preset <PRESET>",
        "acme: the TXT record _acme-challenge of one name; dyndns: the addresses of one name; read-only; zone: one zone",
      )
        .choices(["acme", "dyndns", "read-only", "zone"])
        .makeOptionMandatory(),
    )
    .option("--zone <NAME>", "the zone; required except for read-only, which otherwise reads everything")
    .option("--domain <NAME>", "the name of the certificate (default: the zone's), or of the host")
    .option("--expires <DAYS>", "days for which the key is valid, such as 30d (default: for ever)")
    .action(async (name: string, options: Options & CreateOptions) =>
      (await import("./create.ts")).createKey(readConfig(options), name, options),
    );
  return key;
}
