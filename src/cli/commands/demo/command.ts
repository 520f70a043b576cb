/** `fairlead demo`: its options. */
import { Command } from "commander";
import { addOptions, readConfig } from "../../../config/config.ts";
import { apiConfig } from "../../host/api.ts";
import type { Options } from "../../host/stores.ts";

export const demoCommand = () =>
  addOptions(new Command("demo"), [...apiConfig, "dns"])
    .description("load a demo zone with steered records into the running service, and print commands to try")
    .action(async (options: Options) => (await import("./demo.ts")).demo(readConfig(options), readConfig({}, {})));
