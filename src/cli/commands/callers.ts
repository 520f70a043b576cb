/** `fairlead demo`, `explain` and `zone`, which call a running service: what they are called and what they take. */
import { Command } from "commander";
import { addOptions, readConfig } from "../../config/config.ts";
import { apiConfig } from "../host/api.ts";
import type { ExplainOptions } from "./explain/explain.ts";
import type { ImportOptions } from "./zone.ts";

type Options = Parameters<typeof readConfig>[0];

export const demoCommand = () =>
  addOptions(new Command("demo"), [...apiConfig, "dns"])
    .description("load a zone that shows steering into the running service, and print what to try")
    .action(async (options: Options) => (await import("./demo/demo.ts")).demo(readConfig(options), readConfig({}, {})));

export const explainCommand = () =>
  addOptions(new Command("explain"), apiConfig)
    .description("say why the running service answers a question as it does")
    .argument("<name>", "the name that is asked for")
    .argument("[type]", "its type", "A")
    .option("--client <ADDR>", "the address that the query comes from (default: 192.0.2.1)")
    .option("--subnet <CIDR>", "the client subnet that the query names (RFC 7871)")
    .option("--country <CODE>", "where the client is, instead of what the geo files say: ISO 3166-1")
    .option("--subdivision <CODE>", "the part of the country: ISO 3166-2 without the country")
    .option("--asn <N>", "the client's autonomous system")
    .option("--draws <N>", "ask as often, and count which answers come")
    .option("--seed <N>", "of the random numbers: the same seed gives the same answer")
    .option("--matrix", "ask from every country as well")
    .option("--json", "print the API's reply")
    .action(async (name: string, type: string, options: Options & ExplainOptions) =>
      (await import("./explain/explain.ts")).explain(readConfig(options), name, type, options),
    );

export function zoneCommand(): Command {
  const zone = new Command("zone").description("take zones to the running service and back as zone files");
  addOptions(zone.command("import"), apiConfig)
    .description("make a zone of a zone file; progress and warnings go to standard error")
    .argument("<file>", "the zone file, or - for standard input")
    .requiredOption("--zone <NAME>", "the zone's name; it must not exist yet")
    .option("--networks <ID,...>", "networks that the zone is on (default: 0)")
    .action(async (file: string, options: Options & ImportOptions) =>
      (await import("./zone.ts")).importZone(readConfig(options), file, options),
    );
  addOptions(zone.command("export"), apiConfig)
    .description("write a zone as a zone file")
    .argument("<zone>", "the zone's name")
    .argument("[file]", "where it is written; - for standard output", "-")
    .action(async (name: string, file: string, options: Options) =>
      (await import("./zone.ts")).exportZone(readConfig(options), name, file),
    );
  return zone;
}
