/** Parts of commands that are printed to be pasted into a shell. */
import { resolve } from "node:path";
import { credentialsFile } from "../../lib/files/credentials.ts";

/** Text as one word, whatever is in it. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** How commands are called from where this process was started. */
export function program(): string {
  const tree = resolve(import.meta.dirname, "../../..");
  return process.cwd() === tree ? "npx fairlead" : `${process.execPath} ${resolve(tree, "bin/fairlead.js")}`;
}

/** What a shell replaces by the first key of a data directory. */
export const firstKeyOf = (directory: string) =>
  `$(sed -n 's/.*"key": "\\(.*\\)".*/\\1/p' ${quoted(credentialsFile(directory))})`;
