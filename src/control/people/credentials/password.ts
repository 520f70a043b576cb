/** Passwords: argon2id at a fixed cost, off the event loop. `PasswordQueue` limits how many are hashed at once. */
import { randomBytes } from "node:crypto";
import { invalid } from "../../../lib/problem.ts";

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const shortest = 12;
export const longest = 256;

/** Throws for passwords that are easily guessed, and for passwords so long that hashing them is slow. */
export function assertPassword(password: string, username: string): void {
  const { length } = [...password];
  if (length < shortest || length > longest) {
    throw invalid(`the password must have ${shortest} to ${longest} characters`, { field: "password" });
  }
  if (new Set(password).size < 5 || password.toLowerCase().includes(username.toLowerCase())) {
    throw invalid("the password must not repeat a few characters or contain the user name", {
      field: "password",
    });
  }
}

export const hashPassword = async (password: string): Promise<string> =>
  await (await argon2()).hash(normal(password), cost);

/** Takes the same time for a wrong password, a user without a password, and an unknown user. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  // awaited for known users too: otherwise the first check for an unknown user would take longer
  const decoy = await decoyHash();
  const matches = await (await argon2()).verify(stored ?? decoy, normal(password));
  return stored !== null && matches;
}

let made: Promise<string> | undefined;

/** The hash of a random password that no user has. Computed once, and again after a failure. */
function decoyHash(): Promise<string> {
  made ??= hashPassword(randomBytes(32).toString("base64url")).catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}

/** Unicode encodes the same letter in different ways (RFC 8265 section 4.2). */
const normal = (password: string) => password.normalize("NFC");

/** A native library, loaded at the first sign-in. */
const argon2 = async () => (await import("@node-rs/argon2")).default;
