/** A service with some accounts, for the oracle. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { output } from "../machine/processes.ts";
import { node, type Service, service, tree } from "../service/kit.ts";

export interface Accounts extends AsyncDisposable {
  readonly url: string;
  /** The first key of each account. */
  readonly keys: readonly string[];
  /** The directory of the service's mails. */
  readonly outbox: string;
}

/** The number of accounts; their simultaneous writes share disk syncs. */
const usual = 4;

export async function startAccounts(count = usual): Promise<Accounts> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-permissions-"));
  const running = await service({ flags: ["--rate-limit", "100000/1"] });
  const keys = [];
  for (let at = 0; at < count; at++)
    keys.push(await newAccount(running, join(directory, `${at}.json`), `account${at}`));
  return {
    url: running.url,
    keys,
    outbox: join(running.data, "outbox"),
    async [Symbol.asyncDispose]() {
      await running.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

async function newAccount({ data }: Service, file: string, name: string): Promise<string> {
  const account = (...args: readonly string[]) =>
    output(node, [join(tree, "bin/fairlead.js"), "account", ...args, "--data", data]);
  await account("create", name, "--key-file", file);
  // gives the first key and user the rights that an omission does not grant
  await account("operator", name, "on");
  return JSON.parse(readFileSync(file, "utf8")).key;
}
