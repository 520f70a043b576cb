/** `fairlead store clear-allow-lists`: lifts a lockout caused by allow lists. */
import { getAccount } from "../../../control/people/operator/accounts.ts";
import { listAccounts } from "../../../control/people/operator/accounts-store.ts";
import { type Rescued, rescueAccounts } from "../../../control/people/operator/rescue.ts";
import { seconds, systemClock } from "../../../lib/clock.ts";
import { invalid } from "../../../lib/problem.ts";
import { configOfStore, type Options, withStore } from "../../host/stores.ts";

export type ClearOptions = Options & {
  readonly account?: string;
  readonly strict?: boolean;
  readonly key?: readonly string[];
  readonly user?: readonly string[];
};

/** Prints each changed list as it was before, so that the operator can restore its valid entries. */
export async function runClearAllowLists(options: ClearOptions): Promise<void> {
  const { account, strict = false, key: keys = [], user: users = [], ...rest } = options;
  const needsAccount = strict || keys.length + users.length > 0;
  if (needsAccount && account === undefined) throw invalid("--account is required with --strict, --key and --user");
  await withStore(configOfStore(rest), async (store) => {
    const accounts = account === undefined ? await listAccounts(store.db) : [await getAccount(store.db, account)];
    const freed = await rescueAccounts(store, accounts, { strict, keys, users }, seconds(systemClock));
    for (const one of freed) printBefore(one);
    print(summary(freed));
    for (const { account, held } of freed) {
      if (held.keys + held.users > 0) print(stillHeld(account.name, held));
    }
  });
}

function printBefore({ account: { id: account_id, name: account }, lists, keys, users }: Rescued): void {
  const show = (fields: object) => print(JSON.stringify({ account, account_id, ...fields }));
  for (const { team, id, name, values } of lists) show({ team, id, name, values });
  for (const { id: key, name, ip_whitelist } of keys) show({ key, name, ip_whitelist });
  for (const { username: user, ip_whitelist } of users) show({ user, ip_whitelist });
}

function summary(freed: readonly Rescued[]): string {
  const count = (kind: "lists" | "keys" | "users") => freed.reduce((sum, one) => sum + one[kind].length, 0);
  const lists = count("lists");
  const emptied = `${lists} allow ${lists === 1 ? "list is" : "lists are"} empty now`;
  const released = `${many(count("keys"), "key")} and ${many(count("users"), "user")} are no longer restricted by their own lists`;
  return `${emptied}, and ${released}. This applies within a second.`;
}

const stillHeld = (account: string, { keys, users }: Rescued["held"]) =>
  `${account}: ${many(keys, "key")} and ${many(users, "user")} are still restricted by strict lists of their own (--strict, --key, --user).`;

const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const print = (line: string) => process.stdout.write(`${line}\n`);
