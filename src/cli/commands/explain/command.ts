/** `fairlead explain`: its arguments and options. */
import { Command } from "commander";
import { addOptions, readConfig } from "../../../config/config.ts";
import { apiConfig } from "../../host/api.ts";
import type { Options } from "../../host/stores.ts";
import type { ExplainOptions } from "./explain.ts";

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
      (await import("./explain.ts")).explain(readConfig(options), name, type, options),
    );
