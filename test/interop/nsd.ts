/** NSD as a peer: serves zone files on a port of its own from a temporary directory, and vanishes with the test. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerLines } from "../kit.ts";
import { processesBelow } from "../proc.ts";
import { Daemon, freePort, output, run } from "../processes.ts";

export interface ZoneFile {
  /** The apex, absolute. */
  readonly name: string;
  readonly text: string;
}

export interface Nsd extends AsyncDisposable {
  readonly port: number;
  /** Process ids: the main one, which loads the zones, and its servers. */
  pids(): number[];
  /** The answer section for a question such as `www.example.com A`. */
  ask(question: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts NSD and waits until it answers. `wrap` runs it under another program, such as taskset. */
export async function startNsd(zones: readonly ZoneFile[], wrap: readonly string[] = []): Promise<Nsd> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-nsd-"));
  const port = await freePort();
  zones.forEach(({ text }, index) => {
    writeFileSync(join(directory, `${index}.zone`), text);
  });
  writeFileSync(join(directory, "nsd.conf"), configuration(directory, port, zones));
  const [file, ...args] = [...wrap, "/usr/sbin/nsd", "-d", "-c", join(directory, "nsd.conf")];
  const daemon = new Daemon(file!, args);
  const stop = async () => {
    await daemon.end();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await daemon.until(async () => (await ask(port, `${zones[0]!.name} SOA`)).length > 0, 60_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    pids: () => [daemon.pid, ...processesBelow(daemon.pid).map(({ pid }) => pid)],
    ask: (question) => ask(port, question),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function ask(port: number, question: string): Promise<string[]> {
  const [name = "", type = ""] = question.split(" ");
  const dig = ["@127.0.0.1", "-p", `${port}`, "+noall", "+answer", "+tries=1", "+time=1", name, type];
  return answerLines((await run("dig", dig)).out);
}

export const nsdVersion = async (): Promise<string> =>
  /NSD version (\S+)/.exec(await output("sh", ["-c", "/usr/sbin/nsd -v 2>&1"]))?.[1] ?? "unknown";

// refuse-any: no, so that its answer to ANY can be compared; rrl off, since the comparison is a flood
const configuration = (directory: string, port: number, zones: readonly ZoneFile[]) => `
server:
  ip-address: 127.0.0.1@${port}
  server-count: 1
  username: ""
  chroot: ""
  database: ""
  zonesdir: "${directory}"
  pidfile: "${directory}/nsd.pid"
  xfrdfile: "${directory}/xfrd.state"
  zonelistfile: "${directory}/zone.list"
  minimal-responses: yes
  refuse-any: no
  round-robin: no
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
  tcp-count: 20
remote-control:
  control-enable: no
${zones.map(({ name }, index) => `zone:\n  name: "${name}"\n  zonefile: "${index}.zone"\n`).join("")}`;
