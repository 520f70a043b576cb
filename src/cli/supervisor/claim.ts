/** The begin of a start: claims data directory and ports, and becomes the user as whom the service runs. */
import { flushCompileCache, getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, environmentWith } from "../../config/config.ts";
import { makeDirectories } from "../../lib/files.ts";
import type { Log } from "../../lib/log.ts";
import { give } from "../../lib/owner.ts";
import { makeDirectory, missingAbove } from "../host/directory.ts";
import { obstacleFor } from "../user/access.ts";
import { type Account, findAccount, makeAccount } from "../user/account.ts";
import { become } from "../user/become.ts";
import { chooseUser } from "../user/choose.ts";
import { ownerOf, takeOver } from "../user/take-over.ts";

export interface Claim {
  readonly config: Config;
  /** The entry file of the program. */
  readonly main: string;
  readonly log: Log;
  /** Checks that the ports are free. */
  readonly ports: () => Promise<void>;
  /** Makes the data directory if it is missing, and locks it if it must not be shared. */
  readonly directory?: () => Promise<void> | void;
}

/**
 * A new directory is made only if the ports are free; an existing one is locked first, since "in use by another fairlead"
 * explains more than a port in use. Returns the environment of children, if it is not that of this process.
 */
export async function claim({
  config,
  main,
  log,
  ports,
  directory,
}: Claim): Promise<{ env: NodeJS.ProcessEnv | undefined }> {
  const { data } = config;
  const choice = choose(config, main);
  const missing = missingAbove(data);
  if (missing.length === 0) await directory?.();
  await ports();
  const account = choice.kind === "become" ? (choice.account ?? (await makeAccount())) : undefined;
  if (missing.length > 0) await directory?.();
  if (choice.kind === "stay" && choice.warning !== undefined) log.warn(choice.warning);
  if (!account) return { env: undefined };
  await handOver(config, missing, account, log);
  const env = environmentFor(account);
  flushCompileCache();
  become(account, config.xdp.length > 0);
  return { env };
}

/** Children keep compiled code beside root's, since root must not run code that another user can change. */
function environmentFor(account: Account): NodeJS.ProcessEnv | undefined {
  const own = getCompileCacheDir();
  if (own === undefined) return undefined;
  const path = `${dirname(own)}-${account.name}`;
  try {
    makeDirectories(path);
    give(path, account);
  } catch {
    // the directory cannot be written: every start compiles again
  }
  return environmentWith({ NODE_COMPILE_CACHE: path });
}

function choose(config: Config, main: string) {
  const { user, data: directory } = config;
  const code = [main, process.execPath, fileURLToPath(import.meta.resolve("commander"))];
  return chooseUser(user, {
    uid: process.getuid?.() ?? 0,
    directory,
    owner: ownerOf(directory),
    find: findAccount,
    obstacleFor: (account) => obstacleFor(config, code, account),
  });
}

/** Gives the user what root made before. */
async function handOver({ data, dnstap }: Config, made: readonly string[], account: Account, log: Log) {
  makeDirectory(data);
  if (made.length === 0 && ownerOf(data)?.uid === 0) {
    // a server of root, whose supervisor was killed, could no longer read its files
    const { runningPostgres } = await import("../../storage/embedded/postgres.ts");
    await (await runningPostgres(data))?.stop();
  }
  if (takeOver(data, account) && made.length === 0) {
    log.info({ user: account.name }, `${data} belonged to root, and now belongs to the user of the service`);
  }
  for (const path of made) give(path, account);
  if (dnstap?.kind === "file") give(dnstap.path, account);
}
