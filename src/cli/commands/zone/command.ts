/** `fairlead zone import` and `export`: names, arguments and options. */
import { Command } from "commander";
import { addOptions, readConfig } from "../../../config/config.ts";
import { apiConfig } from "../../host/api.ts";
import type { Options } from "../../host/stores.ts";
import type { ImportOptions } from "./files.ts";

export function zoneCommand(): Command {
  const zone = new Command("zone").description("import and export zone files through the running service");
  addOptions(zone.command("import"), apiConfig)
    .description("create a zone from a zone file; progress and warnings go to standard error")
    .argument("<file>", "the zone file, or - for standard input")
    .requiredOption("--zone <NAME>", "the zone's name; it must not exist yet")
    .option("--networks <ID,...>", "the networks that serve the zone (default: 0)")
    .action(async (file: string, options: Options & ImportOptions) =>
      (await import("./files.ts")).importZone(readConfig(options), file, options),
    );
  addOptions(zone.command("export"), apiConfig)
    .description("write a zone as a zone file")
    .argument("<zone>", "the zone's name")
    .argument("[file]", "the file to write; - for standard output", "-")
    .action(async (name: string, file: string, options: Options) =>
      (await import("./files.ts")).exportZone(readConfig(options), name, file),
    );
  return zone;
}
