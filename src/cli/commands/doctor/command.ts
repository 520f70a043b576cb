/** `fairlead doctor`: names and options. */
import { Command } from "commander";
import { addOptions } from "../../../config/config.ts";
import type { DoctorOptions } from "./doctor.ts";

export const doctorCommand = (): Command =>
  addOptions(new Command("doctor"), [
    ...(["data", "user", "http", "dns", "dot", "doh", "metrics", "databaseUrl", "masterKeyFile"] as const),
    ...(["tlsCert", "tlsKey", "networks", "geo", "resolver"] as const),
  ])
    .description("check this machine, the store, the edges and a zone's delegation; the service may be running")
    .option("--zone <NAME>", "also compare the delegation of this zone with what the edge here answers")
    .option("--json", "print JSON")
    .action(async (options: DoctorOptions) => (await import("./doctor.ts")).doctor(options));
