/** Files that keep an API key for the operator, and the one in the data directory that has the first. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isThere, writeWhole } from "../files.ts";

export const credentialsFile = (directory: string) => join(directory, "credentials.json");

/** The key that the file holds, if there is one. */
export function firstKey(directory: string): string | undefined {
  const file = credentialsFile(directory);
  return isThere(file) ? /"key": "([^"]*)"/.exec(readFileSync(file, "utf8"))?.[1] : undefined;
}

/** Only its owner can read the file. */
export const writeCredentials = (file: string, content: object): void =>
  writeWhole(file, `${JSON.stringify(content, null, 2)}\n`);
