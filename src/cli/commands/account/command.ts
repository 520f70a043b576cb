/** `fairlead account create`, `list`, `suspend`, `resume`, `limit` and `operator`: names, arguments and options. */
import { Command } from "commander";
import { addOptions, storeKeys } from "../../../config/config.ts";
import type { Options } from "../../host/stores.ts";
import type { CreateOptions, LimitOptions, OperatorOptions, SuspendOptions } from "./manage.ts";

export function accountCommand(): Command {
  const account = new Command("account").description(
    "create, list and suspend accounts, which are isolated from each other; the service may be running",
  );
  addOptions(account.command("create"), storeKeys)
    .description("create an account with its first user and its first API key")
    .argument("<name>", "the account's name")
    .option("--username <LOGIN>", "the login name of the first user (default: the account's name)")
    .option("--email <ADDRESS>", "the user's e-mail address")
    .option(
      "--key-file <FILE>",
      "the file to write the key to (default: the terminal, or a file in the data directory)",
    )
    .action(async (name: string, options: CreateOptions) => (await actions()).runCreate(name, options));
  addOptions(account.command("list"), storeKeys)
    .description(
      "print all accounts: id, name, numbers of zones, users and keys, times of creation and suspension, operator",
    )
    .option("--json", "print an array of objects")
    .action(async (options: Options & { json?: boolean }) => (await actions()).runList(options));
  addOptions(account.command("suspend"), storeKeys)
    .description("refuse all keys and users of an account within a second; its zones are still answered")
    .argument("<account>", "the account's id or name")
    .option("--stop-answering", "also answer REFUSED for its zones until the account is resumed; asks on a terminal")
    .option("--yes", "do not ask")
    .action(async (idOrName: string, options: SuspendOptions) => (await actions()).runSuspend(idOrName, options));
  addOptions(account.command("resume"), storeKeys)
    .description("end a suspension: keys, users and zones work again")
    .argument("<account>", "the account's id or name")
    .action(async (idOrName: string, options: Options) => (await actions()).runResume(idOrName, options));
  addOptions(account.command("limit"), storeKeys)
    .description("show or change how much an account may have; a running service follows within a minute")
    .argument("<account>", "the account's id or name")
    .option("--zones <N>", "zones at most, or none for no limit")
    .option("--records <N>", "records at most, or none")
    .option("--megabytes <N>", "MiB of answers, filters, regions, metadata and tags at most, or none")
    .option(
      "--kept-megabytes <N>",
      "MiB of history at most, as much again of the activity log and of deleted zones, or none",
    )
    .action(async (idOrName: string, options: LimitOptions) => (await actions()).runLimit(idOrName, options));
  addOptions(account.command("operator"), storeKeys)
    .description(
      "make an account one of the operator, where the rights operator.view and operator.manage have an effect, or end that",
    )
    .argument("<account>", "the account's id or name")
    .argument("<on|off>", "on also gives both rights to each user and key in no team that has every other right")
    .option("--user <LOGIN>", "give the rights to this user instead; may be repeated", collected)
    .option("--key <ID>", "give the rights to the key with this id instead; may be repeated", collected)
    .action(async (idOrName: string, state: string, options: OperatorOptions) =>
      (await actions()).runOperator(idOrName, state, options),
    );
  return account;
}

const collected = (value: string, before: readonly string[] = []) => [...before, value];

const actions = () => import("./manage.ts");
