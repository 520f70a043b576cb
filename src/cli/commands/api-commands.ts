/** `fairlead demo`, `explain` and `zone`, which call a running service: names, arguments and options. */
import { Command } from "commander";
import { addOptions, readConfig } from "../../config/config.ts";
import { apiConfig } from "../host/api.ts";
import type { Options } from "../host/stores.ts";
import type { ExplainOptions } from "./explain/explain.ts";
import type { ImportOptions } from "./zone/files.ts";

export const demoCommand = () =>
  addOptions(new Command("demo"), [...apiConfig, "dns"])
    .description("load a demo zone with steered records into the running service, and print commands to try")
    .action(async (options: Options) => (await import("./demo/demo.ts")).demo(readConfig(options), readConfig({}, {})));

export const explainCommand = () =>
  addOptions(new Command("explain"), apiConfig)
    .description("explain the running service's answer to a question")
    .argument("<name>", "the name in the question")
    .argument("[type]", "the record type", "A")
    .option("--client <ADDR>", "the address that the query comes from (default: 192.0.2.1)")
    .option("--subnet <CIDR>", "the client subnet in the query (RFC 7871)")
    .option("--country <CODE>", "the client's country (ISO 3166-1), instead of the country from the geo files")
    .option("--subdivision <CODE>", "the client's subdivision (ISO 3166-2 without the country)")
    .option("--asn <N>", "the number of the client's autonomous system")
    .option("--draws <N>", "ask N times and print the share of each answer")
    .option("--seed <N>", "the seed for random numbers; the same seed gives the same answer")
    .option("--matrix", "also print the answer for each country")
    .option("--json", "print the API's reply as JSON")
    .action(async (name: string, type: string, options: Options & ExplainOptions) =>
      (await import("./explain/explain.ts")).explain(readConfig(options), name, type, options),
    );

export function zoneCommand(): Command {
  const zone = new Command("zone").description("import and export zone files through the running service");
  addOptions(zone.command("import"), apiConfig)
    .description("create a zone from a zone file; progress and warnings go to standard error")
    .argument("<file>", "the zone file, or - for standard input")
    .requiredOption("--zone <NAME>", "the zone's name; it must not exist yet")
    .option("--networks <ID,...>", "the networks that serve the zone (default: 0)")
    .action(async (file: string, options: Options & ImportOptions) =>
      (await import("./zone/files.ts")).importZone(readConfig(options), file, options),
    );
  addOptions(zone.command("export"), apiConfig)
    .description("write a zone as a zone file")
    .argument("<zone>", "the zone's name")
    .argument("[file]", "the file to write; - for standard output", "-")
    .action(async (name: string, file: string, options: Options) =>
      (await import("./zone/files.ts")).exportZone(readConfig(options), name, file),
    );
  return zone;
}
