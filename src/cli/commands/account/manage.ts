/** The actions of `fairlead account`, which work on the store directly. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Credentials,
  createAccount,
  getAccount,
  limitAccount,
} from "../../../control/people/operator/accounts.ts";
import { listAccounts, sizeOf } from "../../../control/people/operator/accounts-store.ts";
import { beginOperator, endOperator } from "../../../control/people/operator/operator.ts";
import { resumeAccount, suspendAccount } from "../../../control/people/operator/suspension.ts";
import { seconds, systemClock } from "../../../lib/clock.ts";
import { writeCredentials } from "../../../lib/files/credentials.ts";
import { invalid } from "../../../lib/problem.ts";
import { makeDirectory } from "../../host/directory.ts";
import { configOfStore, type Options, withSecrets, withStore } from "../../host/stores.ts";
import { confirm } from "../../terminal/confirm.ts";
import { table } from "../../terminal/table.ts";

export type CreateOptions = Options & {
  readonly username?: string;
  readonly email?: string;
  readonly keyFile?: string;
};

export type LimitOptions = Options & {
  readonly zones?: string;
  readonly records?: string;
  readonly megabytes?: string;
  readonly keptMegabytes?: string;
};

export type OperatorOptions = Options & { readonly user?: readonly string[]; readonly key?: readonly string[] };

export type SuspendOptions = Options & { readonly stopAnswering?: boolean; readonly yes?: boolean };

export async function runCreate(name: string, options: CreateOptions): Promise<void> {
  const { username = name, email = "", keyFile, ...rest } = options;
  const config = configOfStore(rest);
  if (keyFile !== undefined && existsSync(keyFile)) throw invalid(`--key-file: ${keyFile} already exists`);
  await withSecrets(config, async (store, secrets) => {
    const shown = keyFile === undefined && process.stdout.isTTY;
    const fileOf = ({ account_id }: Credentials) => keyFile ?? join(config.data, `credentials-${account_id}.json`);
    const keep = async (made: Credentials) => {
      if (shown) return;
      if (keyFile === undefined) makeDirectory(config.data);
      writeCredentials(fileOf(made), made);
    };
    const made = await createAccount(store, secrets, { name, username, email }, now(), keep);
    print(`account    ${made.account_id}`);
    print(`username   ${made.username}`);
    print(shown ? `API key    ${made.key}   (not shown again)` : `API key    in ${fileOf(made)}`);
  });
}

export async function runList({ json = false, ...options }: Options & { json?: boolean }): Promise<void> {
  await withStore(configOfStore(options), async ({ db }) => {
    const rows = [];
    for (const { id, name, created, suspended_at, operator } of await listAccounts(db)) {
      const times = { created: timeOf(created), suspended: suspended_at === null ? null : timeOf(suspended_at) };
      rows.push({ id, name, ...(await sizeOf(db, id)), ...times, operator });
    }
    if (json) {
      print(JSON.stringify(rows, null, 2));
      return;
    }
    const lines = rows.map(({ operator, ...row }) => [...Object.values(row), operator ? "yes" : null]);
    const printed = lines.map((line) => line.map((value) => String(value ?? "-")));
    const head = ["ID", "NAME", "ZONES", "USERS", "KEYS", "CREATED", "SUSPENDED", "OPERATOR"];
    for (const line of table([head, ...printed], 0)) {
      print(line);
    }
  });
}

export async function runSuspend(
  idOrName: string,
  { stopAnswering = false, yes = false, ...options }: SuspendOptions,
): Promise<void> {
  await withStore(configOfStore(options), async (store) => {
    const account = await getAccount(store.db, idOrName);
    if (stopAnswering) {
      const { zones } = await sizeOf(store.db, account.id);
      await confirm(`Answer REFUSED for all ${zones} zones of ${account.name} (${account.id})?`, yes);
    }
    const done = await suspendAccount(store, account, { stopAnswering, now: now() });
    const zones = stopAnswering ? "its zones are not answered" : "its zones are still answered";
    print(
      done
        ? `${account.name} (${account.id}) is suspended: its keys and users are refused within a second, ${zones}.`
        : `${account.name} (${account.id}) is already suspended; nothing has changed.`,
    );
  });
}

export async function runResume(idOrName: string, options: Options): Promise<void> {
  await withStore(configOfStore(options), async (store) => {
    const account = await getAccount(store.db, idOrName);
    const done = await resumeAccount(store, account, now());
    print(`${account.name} (${account.id}) ${done ? "works again, within a second" : "was not suspended"}.`);
  });
}

export async function runLimit(idOrName: string, options: LimitOptions): Promise<void> {
  const { zones, records, megabytes, keptMegabytes, ...rest } = options;
  const megabyte = 1024 * 1024;
  const change = {
    ...(zones === undefined ? {} : { zones: limitOf("--zones", zones) }),
    ...(records === undefined ? {} : { records: limitOf("--records", records) }),
    ...(megabytes === undefined ? {} : { octets: limitOf("--megabytes", megabytes, megabyte) }),
    ...(keptMegabytes === undefined ? {} : { kept: limitOf("--kept-megabytes", keptMegabytes, megabyte) }),
  };
  await withStore(configOfStore(rest), async (store) => {
    const account = await getAccount(store.db, idOrName);
    const quota = await limitAccount(store, account, change, now());
    print(`zones      ${quota.zones ?? "no limit"}`);
    print(`records    ${quota.records ?? "no limit"}`);
    print(`MiB        ${quota.octets === null ? "no limit" : quota.octets / megabyte}`);
    print(`kept MiB   ${quota.kept === null ? "no limit" : quota.kept / megabyte}`);
  });
}

function limitOf(flag: string, text: string, unit = 1): number | null {
  if (text === "none") return null;
  if (!/^\d{1,9}$/.test(text)) throw invalid(`${flag}: "${text}" is neither a number nor none`);
  return Number(text) * unit;
}

export async function runOperator(idOrName: string, state: string, options: OperatorOptions): Promise<void> {
  const { user: users = [], key: keys = [], ...rest } = options;
  if (state !== "on" && state !== "off") throw invalid(`"${state}" is neither on nor off`);
  if (state === "off" && users.length + keys.length > 0) throw invalid("--user and --key apply only to on");
  await withStore(configOfStore(rest), async (store) => {
    const account = await getAccount(store.db, idOrName);
    const what = `${account.name} (${account.id})`;
    if (state === "off") {
      const changed = await endOperator(store, account, now());
      print(changed ? `${what} is no account of the operator any more, within a second.` : `${what} is none.`);
      return;
    }
    const { changed, given } = await beginOperator(store, account, { users, keys }, now());
    print(`${what} is ${changed ? "now" : "already"} an account of the operator.`);
    for (const { username } of given.users) print(`operator.view and operator.manage: user ${username}`);
    for (const { id, name } of given.keys) print(`operator.view and operator.manage: key ${name} (${id})`);
    if (changed && given.users.length + given.keys.length === 0)
      print("No user or key in no team has every other right: name one with --user or --key.");
  });
}

const now = () => seconds(systemClock);

const timeOf = (at: number) => new Date(at * 1000).toISOString().replace(".000", "");

const print = (line: string) => process.stdout.write(`${line}\n`);
