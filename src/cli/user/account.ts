/** The users of this machine, and the one that is made for Fairlead. */
import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { invalid } from "../../lib/problem.ts";

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The user that Fairlead makes. */
export const systemAccount = "fairlead";

/** Lets nobody sign in, and owns nothing but what it is given. */
const making = [
  ...["useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"],
  ...["--shell", "/usr/sbin/nologin", systemAccount],
] as const;
/** Milliseconds. Another start may be making the user, and useradd refuses meanwhile. */
const makeWithin = 5000;

/** Finds a user by name or number, wherever the machine's users are kept (nsswitch.conf(5)). */
export function findAccount(user: string | number): Account | undefined {
  const [name, , uid, gid] = command(["getent", "passwd", `${user}`])
    .out.split("\n")[0]!
    .split(":");
  return name && uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : undefined;
}

/** Finds the user of Fairlead, or makes it. Throws a Problem that says what to run. */
export async function makeAccount(): Promise<Account> {
  const deadline = performance.now() + makeWithin;
  for (let pause = 50; ; pause *= 2) {
    const made = command(making);
    const account = findAccount(systemAccount);
    if (account) return account;
    if (performance.now() + pause > deadline) throw invalid(refusal(made.error), { key: "--user" });
    await delay(pause);
  }
}

const refusal = (reason: string) =>
  `Fairlead does not run as root, and the system user ${systemAccount} cannot be made (${reason}). ` +
  `Make it with \`${making.join(" ")}\`, or name another user with --user; --user root stays root`;

function command([program, ...args]: readonly string[]): { out: string; error: string } {
  const env = { PATH: "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };
  const { stdout, stderr, error } = spawnSync(program!, args, { encoding: "utf8", env });
  return { out: stdout ?? "", error: (error?.message ?? stderr).replace(/\s+/g, " ").trim() };
}
