/** `fairlead account create`, `list`, `suspend` and `resume`: what they are called and what they take. */
import { Command } from "commander";
import { addOptions, storeKeys } from "../../config/config.ts";
import type { CreateOptions, Options } from "./accounts.ts";

export function accountCommand(): Command {
  const account = new Command("account").description(
    "make, list and suspend accounts, each walled off from the others; the service may be running",
  );
  addOptions(account.command("create"), storeKeys)
    .description("make an account with its first user and its first API key")
    .argument("<name>", "what the account is called")
    .option("--plan <PLAN>", "its plan (default: enterprise)")
    .option("--username <LOGIN>", "the login name of its first user (default: the account's name)")
    .option("--email <ADDRESS>", "the user's address")
    .option("--key-file <FILE>", "where the key is written to (default: the terminal, or a file in the data directory)")
    .action(async (name: string, options: CreateOptions) => (await acts()).runCreate(name, options));
  addOptions(account.command("list"), storeKeys)
    .description("print all accounts: id, name, plan, zones, users, keys, when it was made and suspended")
    .option("--json", "print an array of objects")
    .action(async (options: Options & { json?: boolean }) => (await acts()).runList(options));
  addOptions(account.command("suspend"), storeKeys)
    .description("refuse all keys and users of an account within a second; its zones are still answered")
    .argument("<account>", "its id or name")
    .option("--stop-answering", "answer REFUSED for its zones, too, until the account is resumed")
    .action(async (called: string, options: Options & { stopAnswering?: boolean }) =>
      (await acts()).runSuspend(called, options),
    );
  addOptions(account.command("resume"), storeKeys)
    .description("take a suspension back: everything is as it was before")
    .argument("<account>", "its id or name")
    .action(async (called: string, options: Options) => (await acts()).runResume(called, options));
  return account;
}

const acts = () => import("./accounts.ts");
