/** The command line. A command's code is loaded when it is called, so that an edge loads nothing of the API. */
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { accountCommand } from "./cli/commands/account/command.ts";
import { demoCommand } from "./cli/commands/demo/command.ts";
import { doctorCommand } from "./cli/commands/doctor/command.ts";
import { explainCommand } from "./cli/commands/explain/command.ts";
import { keyCommand } from "./cli/commands/key/command.ts";
import { storeCommand } from "./cli/commands/store/command.ts";
import { userCommand } from "./cli/commands/user/command.ts";
import { zoneCommand } from "./cli/commands/zone/command.ts";
import { refuseUnknown } from "./cli/terminal/unknown.ts";
import { addOptions, addRoleOptions, ignoreOtherKeys, readConfig } from "./config/config.ts";
import { version } from "./config/version.ts";
import { Problem } from "./lib/problem.ts";
import { raiseForStart } from "./lib/system/priority.ts";

const main = fileURLToPath(import.meta.url);
const program = new Command("fairlead")
  .description("Managed DNS that anyone can run: authoritative DNS, and the REST API that manages it.")
  .version(version)
  .showHelpAfterError("(see fairlead --help)");

addRoleOptions(program.command("serve", { isDefault: true }), "serve")
  .description("run everything: store, API and DNS (the default)")
  .showHelpAfterError("(see fairlead serve --help; with npm start, put flags after two dashes: npm start -- FLAGS)")
  .action(async (options) =>
    (await import("./cli/serve.ts")).serve(() => readConfig(options), { main, file: options["config"] }),
  );
addRoleOptions(program.command("control"), "control")
  .description("run the API alone; needs --database-url")
  .action(async (options) =>
    (await import("./cli/control.ts")).control(() => readConfig(options), { main, file: options["config"] }),
  );
addRoleOptions(program.command("edge"), "edge")
  .description("run DNS alone; needs --database-url")
  .action(async (options) => {
    const calm = raiseForStart();
    return (await import("./cli/edge.ts")).edge(() => readConfig(options), { main, calm });
  });
const reload = addOptions(program.command("reload"), ["data"]);
ignoreOtherKeys(reload);
reload
  .description("make the running service read its configuration again and replace its edge, without losing a query")
  .option("--all", "let this program, which may be a newer version, take over from all of the service")
  .action(async ({ all, ...options }) => {
    const request = all ? { program: { node: process.execPath, main: process.argv[1]! } } : {};
    return (await import("./cli/commands/reload.ts")).reload(readConfig(options), request);
  });
const others = [
  ...[accountCommand, userCommand, storeCommand, doctorCommand],
  ...[demoCommand, explainCommand, zoneCommand, keyCommand],
];
for (const command of others.map((make) => make())) {
  ignoreOtherKeys(command);
  program.addCommand(command);
}
program
  .command("openapi")
  .description("print the API's OpenAPI document")
  .action(async () => (await import("./cli/commands/openapi.ts")).openapi());

// the reader of standard output may close it early (`fairlead openapi | head`)
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

try {
  refuseUnknown(program, process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  const text = error instanceof Problem ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`fairlead: ${text}\n`);
  process.exit(1);
}
