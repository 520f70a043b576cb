/** `fairlead user invite`: what it is called and what it takes. */
import { Command } from "commander";
import { addOptions } from "../config.ts";
import type { Options } from "./users.ts";

export function userCommand(): Command {
  const user = new Command("user").description("let users in from the host; the service may be running");
  addOptions(user.command("invite"))
    .description(
      "print a link with which a user sets a password, once; earlier links of the kind open nothing any more",
    )
    .argument("<username>", "the login name; that of the first user is admin")
    .action(async (username: string, options: Options) => (await import("./users.ts")).runInvite(username, options));
  return user;
}
