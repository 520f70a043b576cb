/** Passwords: argon2id of a cost that nothing configures, off the event loop. How many at a time is for the entrance. */
import { randomBytes } from "node:crypto";
import { invalid } from "../../../lib/problem.ts";

/** OWASP's least for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const shortest = 12;
export const longest = 256;

/** Refuses what is guessed first, or takes long to look at. */
export function assertPassword(password: string, username: string): void {
  const { length } = [...password];
  if (length < shortest || length > longest) {
    throw invalid(`a password has ${shortest} to ${longest} characters`, { field: "password" });
  }
  if (new Set(password).size < 5 || password.toLowerCase().includes(username.toLowerCase())) {
    throw invalid("a password must not be few characters again and again, and not contain the user name", {
      field: "password",
    });
  }
}

export const hashPassword = async (password: string): Promise<string> =>
  await (await argon2()).hash(normal(password), cost);

/** Takes as long for a user without a password, and for nobody, as for a wrong password. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  // made with the first look at anybody's, so that the first look at nobody's takes no longer
  const nobodys = await decoy();
  const matches = await (await argon2()).verify(stored ?? nobodys, normal(password));
  return stored !== null && matches;
}

let made: Promise<string> | undefined;

/** What nobody's password hashes to; made again after a failure. */
function decoy(): Promise<string> {
  made ??= hashPassword(randomBytes(32).toString("base64url")).catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}

/** Keyboards differ in how they write the same letter (RFC 8265 section 4.2). */
const normal = (password: string) => password.normalize("NFC");

/** A native library, loaded when somebody signs in. */
const argon2 = () => import("@node-rs/argon2");
