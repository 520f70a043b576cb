/** `fairlead zone import`, `export` and `release`: names, arguments and options. */
import { Command } from "commander";
import { addOptions, readConfig, storeKeys } from "../../../config/config.ts";
import { apiConfig } from "../../host/api.ts";
import type { Options } from "../../host/stores.ts";
import type { ImportOptions } from "./files.ts";
import type { ReleaseOptions } from "./release.ts";

export function zoneCommand(): Command {
  const zone = new Command("zone").description("import and export zone files, and free names of zones");
  addOptions(zone.command("import"), apiConfig)
    .description("create a zone from a zone file; progress and warnings go to standard error")
    .argument("<file>", "the zone file, or - for standard input")
    .requiredOption("--zone <NAME>", "the zone's name; it must not exist yet")
    .option("--partial", "leave out bad lines, with warnings, instead of refusing the file")
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
  addOptions(zone.command("release"), [...storeKeys, "edition", "allowSuffix", "keepDeleted"])
    .description(
      "let other accounts have a zone's name; the zone is deleted, and can be brought back while the name is free",
    )
    .argument("<zone>", "the zone's name; the zone may be deleted already")
    .option("--yes", "do not ask before a zone is deleted")
    .action(async (name: string, options: ReleaseOptions) => (await import("./release.ts")).runRelease(name, options));
  return zone;
}
