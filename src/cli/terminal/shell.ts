/** Parts of printed commands, which are pasted into a shell. */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { credentialsFile } from "../../lib/files/credentials.ts";

/** Text as one shell word. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Where the Debian package has the program. */
const debian = "/usr/lib/fairlead";

/** The command that starts this program from the current directory. */
export function program(): string {
  const tree = resolve(import.meta.dirname, "../../..");
  const entry = resolve(tree, "bin/fairlead.js");
  const leadsHere = (path: string) => existsSync(path) && realpathSync(path) === entry;
  if (tree === debian) return "fairlead";
  const isLocal = process.cwd() === tree || leadsHere(resolve("node_modules/.bin/fairlead"));
  return isLocal ? "npx fairlead" : `${process.execPath} ${entry}`;
}

/** A substitution that the shell replaces with the first key of a data directory. */
export const firstKeyOf = (directory: string) =>
  `$(sed -n 's/.*"key": "\\(.*\\)".*/\\1/p' ${quoted(credentialsFile(directory))})`;
