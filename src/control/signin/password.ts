/** Passwords: argon2id of a cost that nothing configures, off the event loop and a few at a time. */
import { randomBytes } from "node:crypto";
import { invalid, unavailable } from "../../lib/problem.ts";

/** OWASP's least for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Threads of the pool that files and look-ups share. */
const atOnce = 2;
/** Each is a matter of some milliseconds: who would wait for more than these is told to come again. */
const mostWaiting = 200;

const shortest = 12;
const longest = 256;

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

export const hashPassword = (password: string): Promise<string> => inTurn(() => hashOf(password));

const hashOf = async (password: string) => (await argon2()).hash(normal(password), cost);

/** Takes as long for a user without a password, and for nobody, as for a wrong password. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  // made with the first look at anybody's, so that the first look at nobody's takes no longer
  const nobodys = await decoy();
  const matches = await inTurn(async () => (await argon2()).verify(stored ?? nobodys, normal(password)));
  return stored !== null && matches;
}

let made: Promise<string> | undefined;

/** What nobody's password hashes to. Out of turn, since all wait for it; made again after a failure. */
function decoy(): Promise<string> {
  made ??= hashOf(randomBytes(32).toString("base64url")).catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}

/** Keyboards differ in how they write the same letter (RFC 8265 section 4.2). */
const normal = (password: string) => password.normalize("NFC");

/** A native library, loaded when somebody signs in. */
const argon2 = () => import("@node-rs/argon2");

const waiting: (() => void)[] = [];
let running = 0;

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= mostWaiting) throw unavailable("too many are signing in: try again");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // who comes next takes this place
    if (next) next();
    else running--;
  }
}
