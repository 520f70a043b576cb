/** Parts of commands that are printed to be pasted into a shell. */
import { credentialsFile } from "../lib/credentials.ts";

/** Text as one word, whatever is in it. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** What a shell replaces by the first key of a data directory. */
export const firstKeyOf = (directory: string) =>
  `$(sed -n 's/.*"key": "\\(.*\\)".*/\\1/p' ${quoted(credentialsFile(directory))})`;
