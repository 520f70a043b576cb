/** `fairlead user invite` and `reset-2fa`: what they are called and what they take. */
import { Command } from "commander";
import { addOptions, storeKeys } from "../../config/config.ts";
import type { Options } from "./users.ts";

export function userCommand(): Command {
  const user = new Command("user").description("let users in from the host; the service may be running");
  addOptions(user.command("invite"), [...storeKeys, "http", "publicUrl"])
    .description(
      "print a link with which a user sets a password, once; earlier links of the kind open nothing any more",
    )
    .argument("<username>", "the login name; that of the first user is admin")
    .action(async (username: string, options: Options) => (await import("./users.ts")).runInvite(username, options));
  addOptions(user.command("reset-2fa"), storeKeys)
    .description("take away a second factor that is lost: the password alone lets the user in, whose sessions end")
    .argument("<username>", "the login name")
    .action(async (username: string, options: Options) => (await import("./users.ts")).runReset(username, options));
  return user;
}
