/** Files with an API key for the operator; the file in the data directory has the first key. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isThere, writeWhole } from "../files.ts";

export const credentialsFile = (directory: string) => join(directory, "credentials.json");

/** Returns the key in the file of the data directory, if it exists. */
export function firstKey(directory: string): string | undefined {
  const file = credentialsFile(directory);
  return isThere(file) ? /"key": "([^"]*)"/.exec(readFileSync(file, "utf8"))?.[1] : undefined;
}

/** Writes a file that only its owner can read. */
export const writeCredentials = (file: string, content: object): void =>
  writeWhole(file, `${JSON.stringify(content, null, 2)}\n`);
