/** Derives the key of an exported file from a passphrase. */
import { randomBytes, scryptSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { invalid } from "../../lib/problem.ts";
import { type Secrets, secretsFrom } from "../../lib/secrets.ts";

const shortest = 12;

export const newSalt = () => randomBytes(16).toString("base64url");

/** Derives a key; slow on purpose (scrypt, 64 MiB), so that guessing is expensive. */
export function secretsOfPassphrase(passphrase: string, salt: string): Secrets {
  const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 };
  return secretsFrom([scryptSync(passphrase, Buffer.from(salt, "base64url"), 32, cost)]);
}

/** Reads the passphrase from the first line of a file. */
export function readPassphrase(file: string): string {
  if (!existsSync(file)) throw invalid(`--passphrase-file: ${file} does not exist`);
  const [passphrase = ""] = readFileSync(file, "utf8").split("\n");
  if (passphrase.length < shortest)
    throw invalid(`--passphrase-file: the first line must have at least ${shortest} characters`);
  return passphrase;
}
