/** A first start by a newcomer: from a copy of the tree below a private home, as root and as an ordinary user. */
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CpuTime, cpuTime, processesBelow, timeOfEnded } from "../machine/proc.ts";
import { Daemon, freePort, output, run } from "../machine/processes.ts";
import { cloneTree } from "../service/clone.ts";
import { node, tree } from "../service/kit.ts";

const isRoot = process.getuid?.() === 0;
/** The machine's own Node, if it has one: even an old version starts ours. */
const machineNode = ["/usr/bin/node", "/usr/local/bin/node"].find(existsSync) ?? node;
const ordinaryUser = "fairlead-test";

interface Newcomer {
  readonly who: string;
  readonly home: string;
  /** Runs a command as this user. */
  readonly as: (file: string, ...args: readonly string[]) => readonly [file: string, args: readonly string[]];
}

const asMyself: Newcomer["as"] = (file, ...args) => [file, args];
const asOrdinaryUser: Newcomer["as"] = (file, ...args) => [
  "setpriv",
  [`--reuid=${ordinaryUser}`, `--regid=${ordinaryUser}`, "--init-groups", "--", file, ...args],
];

/** An environment without the variables of the test run. */
const envOf = ({ home }: Newcomer) => ({ PATH: process.env["PATH"], HOME: home });

/** Root tests two newcomers; any other user is an ordinary user already. */
const newcomers = isRoot ? ["root", "an ordinary user"] : ["an ordinary user"];

async function arrive(who: string): Promise<Newcomer> {
  const home = mkdtempSync(join(tmpdir(), "fairlead-home-"));
  await cloneTree(join(home, "clone"));
  if (!isRoot || who === "root") return { who, home, as: asMyself };
  await leave();
  await output("useradd", ["--system", "--no-create-home", "--home-dir", home, ordinaryUser]);
  // files of packages are links to those of this tree, which keep their owner
  const own = ["(", "-type", "d", "-o", "-links", "1", ")"];
  await output("find", [home, ...own, "-exec", "chown", "--no-dereference", `${ordinaryUser}:`, "{}", "+"]);
  return { who, home, as: asOrdinaryUser };
}

const leave = () => run("userdel", [ordinaryUser]);

describe.each(newcomers)("a fresh start as %s", (who) => {
  let newcomer: Newcomer;
  let daemon: Daemon;
  let clone: string;
  let used: CpuTime;

  beforeAll(async () => {
    newcomer = await arrive(who);
    clone = join(newcomer.home, "clone");
    const flags: string[] = [];
    for (const flag of ["--http", "--dns", "--metrics"]) flags.push(flag, `127.0.0.1:${await freePort()}`);
    const [file, args] = newcomer.as(machineNode, "bin/fairlead.js", "serve", ...flags);
    daemon = new Daemon(file, args, { cwd: clone, env: envOf(newcomer) });
    await daemon.until(() => /^ {2}dig .*$/m.test(daemon.printed), 90_000);
    const all = [daemon.pid, ...processesBelow(daemon.pid).map(({ pid }) => pid)];
    const [running, ended] = [cpuTime(all), all.map(timeOfEnded)];
    used = [running, ...ended].reduce((sum, { user, system }) => ({
      user: sum.user + user,
      system: sum.system + system,
    }));
  });

  afterAll(async () => {
    await daemon?.end();
    rmSync(newcomer.home, { recursive: true, force: true });
    if (isRoot && who !== "root") await leave();
  });

  test("is ready after at most thirty seconds of CPU time, on a slow machine too", () => {
    expect(used.user + used.system).toBeLessThan(30);
  });

  test("says where it listens and where the key is, and keeps the key private", () => {
    expect(daemon.printed).toMatch(/^ {2}API +http:\/\/127\.0\.0\.1:\d+\/v1/m);
    expect(daemon.printed).toMatch(/^ {2}DNS +127\.0\.0\.1:\d+/m);
    const file = /^ {2}API key +in (.*)$/m.exec(daemon.printed)?.[1] ?? "";
    const { key } = JSON.parse(readFileSync(file, "utf8"));
    expect(key).toMatch(/^\S{16,}$/);
    expect(daemon.printed).not.toContain(key);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
  });

  test("logs one line, and root another one: its user cannot read a clone in a private home", () => {
    const lines = daemon.printed.split("\n").filter((line) => line.startsWith("{"));
    const warning = expect.stringMatching(/^Fairlead runs as root: fairlead cannot read .*such as \/opt.*--user root$/);
    const messages = lines.map((line) => JSON.parse(line).msg);
    expect(messages).toEqual([...(who === "root" ? [warning] : []), "migrated the schema"]);
  });

  test("the commands that it prints work when pasted", async () => {
    const commands = daemon.printed.split("\n").filter((line) => /^ {2}(curl|dig|npx) /.test(line));
    expect(commands).toHaveLength(4);
    const replies: string[] = [];
    for (const command of commands) {
      const [file, args] = newcomer.as("bash", "-c", command);
      if (command.includes("dig ")) await delay(100);
      replies.push(await output(file, args, { cwd: clone, env: envOf(newcomer) }));
    }
    expect(JSON.parse(replies[0]!)).toMatchObject({ zone: "example.com" });
    expect(JSON.parse(replies[1]!)).toMatchObject({ domain: "www.example.com", answers: [{ answer: ["192.0.2.1"] }] });
    expect(replies[2]).toMatch(/^www\.example\.com\.\s+\d+\s+IN\s+A\s+192\.0\.2\.1$/m);
    expect(replies[3]).toMatch(/^ *http:\S+$/m);
  });

  test("SIGTERM ends it cleanly, and leaves no process behind", async () => {
    expect(await daemon.end("SIGTERM")).toBe(0);
    expect((await run("pgrep", ["-f", clone])).out).toBe("");
  });
});

describe("a start that fails reports why", () => {
  const refused = async (flags: readonly string[], env: Record<string, string> = {}) => {
    const data = mkdtempSync(join(tmpdir(), "fairlead-refused-"));
    const args = [join(tree, "bin/fairlead.js"), "serve", "--data", data, ...flags];
    const ended = await run(node, args, { env: { PATH: process.env["PATH"], ...env }, timeout: 60_000 });
    rmSync(data, { recursive: true });
    expect(ended.code).toBe(1);
    return ended.err;
  };

  test.each([
    ["--dns", "127.0.0.1"],
    ["--http", "localhost:8080"],
    ["--edition", "gold"],
    ["--nameservers", "not a name"],
    ["--workers", "0"],
    ["--api-key", "short"],
    ["--user", isRoot ? "nobody-of-this-name" : "root"],
  ])("%s %s", async (flag, value) => {
    expect(await refused([flag, value])).toContain(`${flag}:`);
  });

  test("a variable with an unknown name", async () => {
    expect(await refused([], { FAIRLEAD_DSN: "127.0.0.1:5300" })).toContain("FAIRLEAD_DSN");
  });
});
