/** Gives root's data directory to the user as whom the service runs. */
import { existsSync, lchownSync, lstatSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { give, type Owner } from "../../lib/owner.ts";
import { clusterBelow } from "../../storage/embedded/cluster.ts";
import type { Account } from "./account.ts";

/** The entries of a data directory (docs/reference/operating.md), which a service makes. */
const ours =
  /^(store(\.new|\.importing)?|edge|run|outbox|imports|reports|address|reload\.sock|(master\.key|credentials(-.+)?\.json|tls-(cert|key)\.pem)(\..*)?)$/;
/** Programs of PostgreSQL. Their files may be links to those of the package, which must stay root's. */
const programs = /^pg-\d/;

/** Whether a directory can be given away: it is missing, empty or Fairlead's, or belongs to another user. */
export function isTakeable(directory: string): boolean {
  if (!existsSync(directory) || statSync(directory).uid !== 0) return true;
  const entries = readdirSync(directory).filter((name) => name !== "lost+found");
  return entries.length === 0 || entries.some((name) => ours.test(name) || programs.test(name));
}

/** The owner of a directory; undefined if there is none. */
export function ownerOf(directory: string): Owner | undefined {
  return statSync(directory, { throwIfNoEntry: false });
}

/**
 * Gives a directory of root, and all that a service made in it, to a user. Does nothing if it is not root's. Other files
 * stay as they are, and no link is followed. Programs are removed: the next start makes copies for the user. The
 * directory comes last: a start that was interrupted begins again.
 */
export function takeOver(directory: string, account: Account): boolean {
  const path = realpathSync(directory);
  if (lstatSync(path).uid !== 0) return false;
  for (const name of readdirSync(path)) {
    if (ours.test(name)) give(join(path, name), account);
    if (programs.test(name)) rmSync(join(path, name), { recursive: true });
  }
  give(clusterBelow(path).sockets, account);
  lchownSync(path, account.uid, account.gid);
  return true;
}
