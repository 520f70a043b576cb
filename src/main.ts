/** The command line. */
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { control } from "./cli/control.ts";
import { edge } from "./cli/edge.ts";
import { openapi } from "./cli/openapi.ts";
import { serve } from "./cli/serve.ts";
import { storeCommand } from "./cli/store.ts";
import { addOptions, readConfig } from "./config.ts";
import { Problem } from "./lib/problem.ts";
import { version } from "./version.ts";

const main = fileURLToPath(import.meta.url);
const program = new Command("fairlead")
  .description("Managed DNS that anyone can run: authoritative DNS, and the REST API that manages it.")
  .version(version)
  .showHelpAfterError("(see fairlead --help)");

addOptions(program.command("serve", { isDefault: true }))
  .description("run everything: store, API and DNS (the default)")
  .action((options) => serve(readConfig(options), main));
addOptions(program.command("control"))
  .description("run the API alone; needs --database-url")
  .action((options) => control(() => readConfig(options)));
addOptions(program.command("edge"))
  .description("run DNS alone; needs --database-url")
  .action((options) => edge(() => readConfig(options)));
program.addCommand(storeCommand());
program.command("openapi").description("print the API's OpenAPI document").action(openapi);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(
    `fairlead: ${error instanceof Problem ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exit(1);
}
