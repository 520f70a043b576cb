/** Parts of printed commands, which are pasted into a shell. */
import { resolve } from "node:path";
import { credentialsFile } from "../../lib/files/credentials.ts";

/** Text as one shell word. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that starts this program from the current directory. */
export function program(): string {
  const tree = resolve(import.meta.dirname, "../../..");
  return process.cwd() === tree ? "npx fairlead" : `${process.execPath} ${resolve(tree, "bin/fairlead.js")}`;
}

/** A substitution that the shell replaces with the first key of a data directory. */
export const firstKeyOf = (directory: string) =>
  `$(sed -n 's/.*"key": "\\(.*\\)".*/\\1/p' ${quoted(credentialsFile(directory))})`;
