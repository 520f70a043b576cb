/** `fairlead user invite` and `reset-2fa`: names, arguments and options. */
import { Command } from "commander";
import { addOptions, storeKeys } from "../../../config/config.ts";
import type { Options } from "../../host/stores.ts";

export function userCommand(): Command {
  const user = new Command("user").description("give users access from this host; the service may be running");
  addOptions(user.command("invite"), [...storeKeys, "http", "publicUrl"])
    .description("print a link with which a user sets a password, once; earlier links of the same kind stop working")
    .argument("<username>", "the login name; the first user is admin")
    .action(async (username: string, options: Options) => (await import("./access.ts")).runInvite(username, options));
  addOptions(user.command("reset-2fa"), storeKeys)
    .description(
      "remove a lost second factor; the user then signs in with the password alone, and current sessions end",
    )
    .argument("<username>", "the login name")
    .action(async (username: string, options: Options) => (await import("./access.ts")).runReset(username, options));
  return user;
}
