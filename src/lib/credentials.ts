/** Files that keep an API key for the operator, and the one in the data directory that has the first. */
import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isThere } from "./files.ts";

export const credentialsFile = (directory: string) => join(directory, "credentials.json");

/** The key that the file holds, if there is one. */
export function firstKey(directory: string): string | undefined {
  const file = credentialsFile(directory);
  return isThere(file) ? /"key": "([^"]*)"/.exec(readFileSync(file, "utf8"))?.[1] : undefined;
}

/** Only its owner can read the file. */
export async function writeCredentials(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
